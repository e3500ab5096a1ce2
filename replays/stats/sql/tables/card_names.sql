-- card_names: what the logs call each card, by language; where they differ, as the last version of its set does.
-- Grain: one row a game (of the list of games), card and language. Unit: card. Definition version: m2.
create table card_names as
with told as (
    select game, code, language, arg_max(name, (version, card_set, name)) as name
    from read_parquet($files) group by game, code, language
)
select * from told order by game, code, language;
