-- add_deck_names: the same of `deck_names`.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
insert into deck_names by name
with told as (
    select game, deck, deck_name, sum(games)::bigint as games from read_parquet($files) group by game, deck, deck_name
)
select * from told order by game, deck, deck_name;
