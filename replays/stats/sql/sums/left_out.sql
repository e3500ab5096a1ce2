-- left_out: the games that statistics leave out, of the warehouse of all games.
-- Grain: one row a game (g). Unit: game. Definition version: m2.
with told as (select * from games where left_out is not null)
select * from told order by g
