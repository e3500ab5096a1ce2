-- play_sums: in how many games of a side a card was first played in which turn.
-- Grain: one row a side, card and turn. Unit: a game seen from one seat. Definition version: m2.
create table play_sums as
with told as (
    select side, code, first_turn, count(*) as games
    from cards join (select unit, side from units) using (unit)
    where first_turn is not null group by side, code, first_turn
)
select * from told order by side, code, first_turn;
