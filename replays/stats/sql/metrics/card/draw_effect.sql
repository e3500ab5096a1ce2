-- draw_effect: by how much one copy among the first cards of a shuffled pile, instead of further down, raises the chance
-- to win: where it lies is chance alone, so this is a randomised trial.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m2.
-- `early` says how many first cards; `ended_before_share` is the share of games that ended before so many had left the pile.
-- Draws are half a win: to leave them out would be to choose games by their result. So would filters by length and
-- ending. Copies that lay in no shuffled pile, or of whose order nothing is known, are `not_counted`.
with ended as (
    select game, pile, coalesce(sum(games) filter (seen < early), 0)::bigint / sum(games)::bigint as ended_before_share
    from pile_sums join (select side, game from filtered($filters)) using (side) join game_piles using (game, pile) group by game, pile
),
copies as (
    select game, code, sum(deck)::bigint as copies
    from card_sums join (select side, game from filtered($filters)) using (side) group by game, code
),
measured as (
    select game, code, pile, k as early, ended_before_share, games, copies as counted, effect, deviation,
        row_number() over (partition by game, code order by games desc, pile) as nth
    from draw_effects($filters, false) join ended using (game, pile)
),
told as (
    select game, code, coalesce(games, 0) as games, coalesce(counted, 0) as copies,
        effect, effect - z() * deviation as low, effect + z() * deviation as high, deviation,
        copies.copies - coalesce(counted, 0) as not_counted, pile, early, ended_before_share
    from copies left join (select * from measured where nth = 1) using (game, code)
)
select * from told order by game, effect desc nulls last, code
