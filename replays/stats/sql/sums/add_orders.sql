-- add_orders: the same of `orders`, which are numbered by pack.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
insert into orders by name
with told as (
    select taken.* exclude (filename) replace (
        side - 72057594037927936 + (pack_no - 1) * 4294967296 as side,
        no - 72057594037927936 + (pack_no - 1) * 4294967296 as no
    )
    from read_parquet($files, filename = true) as taken join files using (filename)
)
select * from told;
