-- strikes: what dealt how much damage to what; a target without a code is the player.
-- Grain: one row a strike. Unit: strike. Definition version: m2.
create table strikes as
with read as (
    select packs.no * 2147483648 + index as g, strikes.* exclude (pack, index)
    from read_parquet($files) as strikes join packs using (pack)
)
select * from read;
