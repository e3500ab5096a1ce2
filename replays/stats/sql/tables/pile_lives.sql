-- pile_lives: the piles that are what the game is about.
-- Grain: one row a game (of the list of games) and pile. Unit: pile. Definition version: m2.
create table pile_lives as
with told as (select distinct game, pile from pile_sums where life)
select * from told order by game, pile;
