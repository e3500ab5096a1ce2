-- pile_sums: of the piles that set-up shuffled, from how many of them how many cards had gone by the end of the game.
-- Grain: one row a side, pile and number of cards. Unit: a game seen from one seat. Definition version: m2.
create table pile_sums as
with told as (
    select side, pile, seen, count(*) as games from piles join units using (unit) group by side, pile, seen
)
select * from told order by side, pile, seen;
