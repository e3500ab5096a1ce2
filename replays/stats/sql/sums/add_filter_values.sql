-- add_filter_values: the same of `filter_values`.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
insert into filter_values by name
with told as (select distinct * from read_parquet($files))
select * from told order by filter, value, called, game;
