-- cells: which cells of a detail are one cell of the next one ($detail); see sides.
-- Grain: one row a cell. Unit: game. Definition version: m2.
create or replace temp table coarser as
with alike as (
    select cell, (
        game, rulebook, card_sets, format, origin, if($detail = 1, day, null), tags, checked, first, w,
        player_kind, deck, against_player_kind, against
    ) as key
    from sides where detail = $detail - 1 and seat = 0
),
named as (select key, min(cell) + 36028797018963968 as coarser_cell from alike group by key),
told as (select cell, coarser_cell from alike join named using (key))
select * from told;
