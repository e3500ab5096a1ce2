-- pairs: games of a balance lab, played with the cards as printed and with changed ones: one row for both.
-- Grain: one row a game played both ways and seat. Unit: a game seen from one seat. Definition version: m2.
-- The two are of the same number among the games of their tag. One that does not count leaves out both.
create view pairs as
with arms as (
    select g, list_contains(tags, 'changed') as changed,
        row_number() over (partition by list_contains(tags, 'changed') order by g) as number
    from games where list_has_any(tags, ['printed', 'changed'])
),
printed as (select number, units.* from units join arms using (g) where not changed),
changed as (select number, units.* from units join arms using (g) where changed),
told as (
    select number, seat, printed.game, printed.deck, printed.deck_name, printed.against,
        printed.unit as unit, changed.unit as changed_unit, printed.w as w, changed.w as changed_w,
        printed.first as first, changed.first as changed_first, printed.turns as turns, changed.turns as changed_turns,
        printed.reason as reason, changed.reason as changed_reason
    from printed join changed using (number, seat)
)
select * from told;
