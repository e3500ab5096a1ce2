-- keep: of a table that goes by sides, those that are added up over all packs.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
create table {table} as
with told as (select * from added.main.{table} where side >= 72057594037927936)
select * from told;
