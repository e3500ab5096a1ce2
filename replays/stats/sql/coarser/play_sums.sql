-- play_sums: those of a coarser detail, made of those of the detail before.
-- Grain: one row a side, card and turn. Unit: a game seen from one seat. Definition version: m2.
insert into play_sums by name
with told as (
    select coarser_cell * 2 + side % 2 as side, code, first_turn, sum(games)::bigint as games
    from play_sums join coarser on side // 2 = cell group by coarser_cell, side % 2, code, first_turn
)
select * from told order by side, code, first_turn;
