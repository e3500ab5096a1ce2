-- pile_sums: of the piles that set-up shuffled, how many there were, and in how many fewer cards than `early` had left
-- them by the end of the game. `early` is the largest that a log of the game says.
-- Grain: one row a side and pile. Unit: a game seen from one seat. Definition version: m2.
create table pile_sums as
with counted as (select side, game, piles.* exclude (unit) from piles join units using (unit)),
declared as (select game, pile, max(early) as early, bool_or(life) as life from counted group by game, pile),
told as (
    select side, counted.game, pile, any_value(declared.early) as early, any_value(declared.life) as life,
        count(*) as games, count(*) filter (seen < declared.early) as ended_before
    from counted join declared using (game, pile) group by side, counted.game, pile
)
select * from told order by side, pile;
