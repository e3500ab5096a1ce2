-- end_sums: of the games of a side, how many ended in which turn, and why.
-- Grain: one row a side, number of turns and reason. Unit: a game seen from one seat. Definition version: m2.
create table end_sums as
with told as (select side, turns, reason, n as games from sides)
select * from told order by side;
