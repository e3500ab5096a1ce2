-- turn_sums: those of a coarser detail, made of those of the detail before.
-- Grain: one row a side and turn. Unit: a game seen from one seat. Definition version: m2.
insert into turn_sums by name
with told as (
    select coarser_cell * 2 + side % 2 as side, turn, sum(columns(* exclude (side, turn, cell, coarser_cell)))
    from turn_sums join coarser on side // 2 = cell group by coarser_cell, side % 2, turn
)
select * from told order by side, turn;
