-- draw_curve: the draw effect for each number K of first cards: by when a card must be drawn to matter.
-- Grain: one row a game (of the list of games), card and K. Unit: a game seen from one seat. Definition version: m2.
with told as (
    select game, code, pile, k, games, copies, effect, effect - z() * deviation as low,
        effect + z() * deviation as high, thin(-z() * deviation, z() * deviation) as thin
    from draw_effects($filters, true)
)
select * from told order by game, code, pile, k
