-- add_places: the same of `places`, which go by the numbers of orders.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
insert into places by name
with told as (
    select taken.* exclude (filename) replace (no - 72057594037927936 + (pack_no - 1) * 4294967296 as no)
    from read_parquet($files, filename = true) as taken join files using (filename)
)
select * from told;
