-- deck_rate: the share of decks, and of games, with at least one copy of a card; mean copies where it is in.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m2.
with sat as (select side, game, deck, n from filtered($filters)),
everything as (select game, sum(n)::bigint as all_games, count(distinct deck) as all_decks from sat group by game),
sums as (
    select game, code, sum(cards.n)::bigint as games, count(distinct sat.deck) as decks, sum(cards.deck)::bigint as copies
    from sat join (select side, code, n, deck from card_sums) as cards using (side) group by game, code
),
told as (
    select game, code, copies, games, all_games, games / all_games as rate,
        wilson_low(games / all_games, all_games) as low, wilson_high(games / all_games, all_games) as high,
        thin(wilson_low(games / all_games, all_games), wilson_high(games / all_games, all_games)) as thin,
        decks, all_decks, decks / nullif(all_decks, 0) as rate_by_decks, copies / games as copies_where_in
    from sums join everything using (game)
)
select * from told order by game, rate desc, code
