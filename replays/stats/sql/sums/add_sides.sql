-- add_sides: the same of `sides`, which are of no detail yet.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
insert into sides by name
with told as (
    select taken.* exclude (filename) replace (
        side - 72057594037927936 + (pack_no - 1) * 4294967296 as side,
        cell - 36028797018963968 + (pack_no - 1) * 2147483648 as cell, 0 as detail
    )
    from read_parquet($files, filename = true) as taken join files using (filename)
)
select * from told;
