-- sides: those of a coarser detail, made of those of the detail before.
-- Grain: one row a side. Unit: a game seen from one seat. Definition version: m2.
insert into sides by name
with told as (
    select coarser_cell * 2 + seat as side, $detail as detail, coarser_cell as cell, seat, null as player, null as turns, null as reason,
        any_value(if($detail = 1, day, null)) as day, sum(n)::bigint as n,
        any_value(columns(* exclude (side, detail, cell, seat, player, turns, reason, day, n, coarser_cell)))
    from sides join coarser using (cell) group by coarser_cell, seat
)
select * from told order by side;
