-- turns: life, deck and hand of both seats at the end of each turn.
-- Grain: one row a game and turn. Unit: turn. Definition version: m2.
create table turns as
with read as (
    select packs.no * 2147483648 + index as g, turns.* exclude (pack, index)
    from read_parquet($files) as turns join packs using (pack)
)
select * from read;
