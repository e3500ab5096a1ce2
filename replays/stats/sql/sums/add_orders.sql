-- add_orders: the same of `orders`, which are numbered by pack.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
insert into orders by name
with told as (
    select taken.* exclude (pack) replace (
        side - 72057594037927936 + (packs.no - 1) * 4294967296 as side, packs.no * 1099511627776 + taken.no as no
    )
    from read_parquet($files) as taken join packs using (pack)
)
select * from told;
