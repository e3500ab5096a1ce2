-- files: the files of a table, one a pack, in the order of the packs; what is taken of them is told apart by these.
-- Grain: one row a file. Unit: pack. Definition version: m2.
create or replace temp table files as
with told as (select unnest($files) as filename, unnest(range(1, len($files) + 1)) as pack_no)
select * from told;
