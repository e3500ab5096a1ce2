-- add_game_piles: the same of `game_piles`.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
insert into game_piles by name
with told as (
    select game, pile, max(early) as early, bool_or(life) as life from read_parquet($files) group by game, pile
)
select * from told order by game, pile;
