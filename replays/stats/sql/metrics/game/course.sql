-- course: what winners and losers have left at the end of turn T: life (in the game's own measure), deck and hand.
-- Grain: one row a game (of the list of games), turn and outcome. Unit: a game seen from one seat.
-- Definition version: m1.
-- Means over the games that were still going on in turn T, with their intervals. Draws are left out.
with ends as (
    select game, turn, w = 1 as won, units.seat = 1 as second, life_0, life_1, deck_0, deck_1, hand_0, hand_1
    from filtered($filters) as units join turns using (g) where w <> 0.5
),
own as (
    select game, turn, won, if(second, life_1, life_0)::double as life, if(second, deck_1, deck_0)::double as deck,
        if(second, hand_1, hand_0)::double as hand
    from ends
),
sums as (
    select game, turn, won, count(*) as games, count(life) as n,
        sum(life) as life, sum(life * life) as life2, sum(deck) as deck, sum(deck * deck) as deck2,
        sum(hand) as hand, sum(hand * hand) as hand2
    from own group by game, turn, won
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
