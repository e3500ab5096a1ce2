-- game_piles: of each pile that set-up shuffles, how many first cards are early (the most that a log of the game says),
-- and whether the number of its cards is what the game is about (life).
-- Grain: one row a game (of the list of games) and pile. Unit: pile. Definition version: m2.
create table game_piles as
with told as (
    select game, pile, max(piles.early) as early, bool_or(piles.life) as life
    from piles join units using (unit) group by game, pile
)
select * from told order by game, pile;
