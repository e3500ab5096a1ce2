-- units: the games that count, from each of their two seats, with all that filters ask about.
-- Games that cannot be checked stand here too, not `checked`: they count where a filter asks for them. `cell` names
-- the games that are alike in all of this, for both seats, by the first of them; `side` is such a cell seen from one seat.
-- Grain: one row a counted game and seat. Unit: a game seen from one seat. Definition version: m2.
create table units as
with counted as (
    select *, left_out is null as checked from games where left_out is null or left_out = 'unchecked'
),
alike as (
    select g, (
        game, rulebook, card_sets, format, origin, day, tags, turns, reason, checked, first_seat,
        one.w, one.player, one.player_kind, one.deck, other.player, other.player_kind, other.deck
    ) as key
    from counted join seats as one using (g) join seats as other using (g)
    where one.seat = 0 and other.seat = 1
),
cells as (select key, min(g) as cell from alike group by key),
told as (
    select seats.*, game, rulebook, card_sets, format, origin, day, tags, turns, reason, checked, cell,
        cell * 2 + seat as side
    from seats join counted using (g) join alike using (g) join cells using (key)
)
select * from told order by unit;
