-- early_counts: how many copies of a card may lie among the early cards of its pile, less what chance gives (x), numbered.
-- Piles of which all cards are early say nothing and are not there. `lain` has the x of each card of each game.
-- Grain: one row a game (of the list of games), card and x. Unit: a game seen from one seat. Definition version: m2.
create or replace temp table lain as
with dealt as (
    select unit, pile, size, game, game_piles.early
    from piles join (select unit, game from units) as units using (unit) join game_piles using (game, pile)
    where game_piles.early < size
),
told as (
    select unit, game, code, len(list_filter(places, lambda place: place <= early)) - len(places) * early / size as x
    from (select unit, code, pile, places from cards where places is not null) as cards join dealt using (unit, pile)
)
select * from told;
create table early_counts as
with found as (select distinct game, code, x from lain),
told as (select (row_number() over (order by game, code, x))::integer as no, game, code, x from found)
select * from told order by no;
