-- keep_all: all of another table.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
create table {table} as
with told as (select * from added.main.{table})
select * from told;
