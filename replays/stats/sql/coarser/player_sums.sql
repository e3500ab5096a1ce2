-- player_sums: those of a coarser detail, made of those of the detail before.
-- Grain: one row a side and pair of players. Unit: a game seen from one seat. Definition version: m2.
insert into player_sums by name
with told as (
    select coarser_cell * 2 + side % 2 as side, player, against_player, sum(columns(* exclude (side, player, against_player, cell, coarser_cell)))
    from player_sums join coarser on side // 2 = cell group by coarser_cell, side % 2, player, against_player
)
select * from told order by side, player, against_player;
