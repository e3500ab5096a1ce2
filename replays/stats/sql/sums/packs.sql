-- packs: these packs, in this order.
-- Grain: one row a pack. Unit: pack. Definition version: m2.
insert into packs by name
with told as (select unnest($packs) as pack, unnest(range(1, len($packs) + 1)) as no)
select * from told;
