-- add_places: the same of `places`.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
insert into places by name
with told as (
    select taken.* exclude (pack) replace (packs.no * 1099511627776 + taken.no as no)
    from read_parquet($files) as taken join packs using (pack)
)
select * from told;
