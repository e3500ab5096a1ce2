-- take: of a table that goes by sides, what is added up by day; from the warehouse of one pack.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
with told as (select * from {table} where side >= 72057594037927936)
select * from told order by side
