-- add: what was taken of all packs into one table; sides of several packs are still apart.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
insert into {table} by name
with told as (
    select taken.* exclude (filename) replace (side - 72057594037927936 + (pack_no - 1) * 4294967296 as side)
    from read_parquet($files, filename = true) as taken join files using (filename)
)
select * from told;
