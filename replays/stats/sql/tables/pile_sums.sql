-- pile_sums: of the piles that set-up shuffled, how many there were, and from how many fewer cards than are early had
-- gone by the end of the game.
-- Grain: one row a side and pile. Unit: a game seen from one seat. Definition version: m2.
create table pile_sums as
with told as (
    select side, pile, count(*) as games, count(*) filter (seen < game_piles.early) as ended_before
    from piles join units using (unit) join game_piles using (game, pile) group by side, pile
)
select * from told order by side, pile;
