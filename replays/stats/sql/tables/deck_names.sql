-- deck_names: what decks were called, and in how many games.
-- Grain: one row a game (of the list of games), deck and name. Unit: deck. Definition version: m2.
create table deck_names as
with told as (
    select game, deck, deck_name, count(*) as games
    from seats join games using (g)
    where deck is not null and (left_out is null or left_out not in ('removed', 'unreadable'))
    group by game, deck, deck_name
)
select * from told order by game, deck, deck_name;
