-- pile_sums: those of a coarser detail, made of those of the detail before.
-- Grain: one row a side, pile and number of cards. Unit: a game seen from one seat. Definition version: m2.
insert into pile_sums by name
with told as (
    select coarser_cell * 2 + side % 2 as side, pile, seen, sum(columns(* exclude (side, pile, seen, cell, coarser_cell)))
    from pile_sums join coarser on side // 2 = cell group by coarser_cell, side % 2, pile, seen
)
select * from told order by side, pile, seen;
