-- take: of a table that goes by sides, what is added up by day; from the warehouse of one pack.
-- Grain: that of the table. Unit: that of the table. Definition version: m2.
with one as (select pack from packs),
told as (select one.pack, chosen.* from {table} as chosen, one where side >= 72057594037927936)
select * from told order by side
