-- end_sums: those of a coarser detail, made of those of the detail before.
-- Grain: one row a side, number of turns and reason. Unit: a game seen from one seat. Definition version: m2.
insert into end_sums by name
with told as (
    select coarser_cell * 2 + side % 2 as side, turns, reason, sum(columns(* exclude (side, turns, reason, cell, coarser_cell)))
    from end_sums join coarser on side // 2 = cell group by coarser_cell, side % 2, turns, reason
)
select * from told order by side, turns, reason;
