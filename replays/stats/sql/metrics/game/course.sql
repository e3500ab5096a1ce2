-- course: what winners and losers have left at the end of turn T: life (in the game's own measure), deck and hand.
-- Grain: one row a game (of the list of games), turn and outcome. Unit: a game seen from one seat.
-- Definition version: m2.
-- Means over the games that were still going on in turn T, with their intervals. Draws are left out.
with sums as (
    select game, turn, w = 1 as won, sum(games)::bigint as games, sum(life_n)::bigint as n, sum(life) as life,
        sum(life_2) as life2, sum(deck) as deck, sum(deck_2) as deck2, sum(hand) as hand, sum(hand_2) as hand2
    from (select side, game, w from filtered($filters) where w <> 0.5) join turn_sums using (side)
    group by game, turn, won
),
told as (
    select game, turn, won, games,
        life / nullif(n, 0) as life, life / nullif(n, 0) - mean_half(n, life, life2) as life_low,
        life / nullif(n, 0) + mean_half(n, life, life2) as life_high,
        deck / games as deck, deck / games - mean_half(games, deck, deck2) as deck_low,
        deck / games + mean_half(games, deck, deck2) as deck_high,
        hand / games as hand, hand / games - mean_half(games, hand, hand2) as hand_low,
        hand / games + mean_half(games, hand, hand2) as hand_high
    from sums
)
select * from told order by game, turn, won
