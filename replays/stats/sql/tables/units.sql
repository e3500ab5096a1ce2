-- units: the games that count, from each of their two seats, with all that filters ask about.
-- Games that cannot be checked stand here too, not `checked`: they count where a filter asks for them.
-- Grain: one row a counted game and seat. Unit: a game seen from one seat. Definition version: m1.
create table units as
with counted as (
    select *, left_out is null as checked from games where left_out is null or left_out = 'unchecked'
),
told as (
    select seats.*, game, rulebook, card_sets, format, origin, day, tags, turns, reason, checked
    from seats join counted using (g)
)
select * from told order by unit;
