-- decks: what each deck is called: its name in most of its games, then the first by letters.
-- Grain: one row a game (of the list of games) and deck. Unit: deck. Definition version: m2.
create table decks as
with named as (
    select game, deck, deck_name, count(*) as games
    from seats join games using (g)
    where deck is not null and (left_out is null or left_out not in ('removed', 'unreadable'))
    group by game, deck, deck_name
),
told as (
    select game, deck, arg_min(deck_name, (deck_name = '', -games, deck_name)) as deck_name from named group by game, deck
)
select * from told order by game, deck;
