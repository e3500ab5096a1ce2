-- card_sums: those of a coarser detail, made of those of the detail before.
-- Grain: one row a side, card and length of games (in fives of turns). Unit: a game seen from one seat. Definition version: m2.
insert into card_sums by name
with told as (
    select coarser_cell * 2 + side % 2 as side, length, code, min(pile) as pile,
        sum(columns(* exclude (side, length, code, pile, cell, coarser_cell)))
    from card_sums join coarser on side // 2 = cell group by coarser_cell, side % 2, length, code
)
select * from told order by side, length, code;
