-- early_cards: how many copies of each card lay early, as numbers of early_counts; `lot` is of the game's key alone, so that
-- games can be drawn by it.
-- Grain: one row a game and seat. Unit: a game seen from one seat. Definition version: m2.
create or replace temp table listed as
with told as (
    select unit, list_sort(list(no)) as early from lain join early_counts using (game, code, x) group by unit
)
select * from told;
drop table lain;
create table early_cards as
with keyed as (
    select unit, side, md5_number_lower(game_key) as lot
    from (select unit, side, g from units) as units join (select g, game_key from games) as games using (g)
),
told as (select unit, side, lot, early from keyed join listed using (unit))
select * from told order by unit;
