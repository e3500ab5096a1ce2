-- add: what was taken of all packs into one table; sides of several packs are still apart.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
insert into {table} by name
with told as (
    select taken.* exclude (pack) replace (side - 72057594037927936 + (packs.no - 1) * 4294967296 as side)
    from read_parquet($files) as taken join packs using (pack)
)
select * from told;
