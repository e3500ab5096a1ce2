-- seats: of those games.
-- Grain: one row a game and seat (unit). Unit: a game seen from one seat. Definition version: m2.
insert into seats by name
with read as (
    select packs.no * 2147483648 + index as g, (packs.no * 2147483648 + index) * 2 + seat as unit,
        seats.* exclude (pack, index)
    from read_parquet($files) as seats join packs using (pack)
),
told as (select * from read semi join games using (g))
select * from told;
