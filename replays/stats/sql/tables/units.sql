-- units: the games that count, from each of their two seats, with all that filters ask about.
-- Grain: one row a counted game and seat. Unit: a game seen from one seat. Definition version: m1.
create table units as
with counted as (select * from games where left_out is null),
told as (
    select seats.*, game, rulebook, card_sets, format, origin, day, tags, turns, reason
    from seats join counted using (g)
)
select * from told order by unit;
