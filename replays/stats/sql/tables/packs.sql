-- packs: the packs of the library, numbered in the order of their names.
-- Grain: one row a pack. Unit: pack. Definition version: m2.
create table packs as
with names as (select distinct pack from read_parquet($files)),
numbered as (select pack, row_number() over (order by pack) as no from names)
select * from numbered order by no;
