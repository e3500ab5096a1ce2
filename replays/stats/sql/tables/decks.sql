-- decks: what each deck is called: its name in most of its games, then the first by letters.
-- Grain: one row a game (of the list of games) and deck. Unit: deck. Definition version: m2.
create table decks as
with told as (
    select game, deck, arg_min(deck_name, (deck_name = '', -games, deck_name)) as deck_name
    from deck_names group by game, deck
)
select * from told order by game, deck;
