-- sides: counted games that are alike in all that filters ask about, seen from one seat, and how many there are (n).
-- Metrics read these and what is added up for them, so that their time does not grow with the number of games. There are
-- sides of three details. 0: alike in everything. 1: players, number of turns and ending may differ. 2: days too. `cell` and `side` of detail d have d in bits 55 and 56 upwards.
-- Grain: one row a side. Unit: a game seen from one seat. Definition version: m2.
create table sides as
with alike as (
    select side, 0 as detail, any_value(columns(* exclude (g, unit, side, deck_name, against_name, life, redrawn))), count(*) as n
    from units group by side
)
select * from alike order by side;
