-- draw_curve: the draw effect for each number K of first cards: when must a card come to matter.
-- Grain: one row a game (of the list of games), card and K. Unit: a game seen from one seat. Definition version: m2.
with told as (
    select game, code, pile, k, games, copies, effect, effect - 1.959963984540054 * deviation as low,
        effect + 1.959963984540054 * deviation as high, thin(-1.959963984540054 * deviation, 1.959963984540054 * deviation) as thin
    from draw_effects($filters, true)
)
select * from told order by game, code, pile, k
