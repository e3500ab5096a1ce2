-- courses: the life of both seats at the end of each turn, of the games that lie at $offsets of $packs.
-- Grain: one row a game. Unit: game. Definition version: m2.
with asked as (select unnest($packs) as pack, unnest($offsets) as "offset"),
found as (select g, pack, "offset" from games join asked using (pack, "offset")),
lives as (
    select pack, "offset", turn, life_0, life_1 from found join turns using (g)
    where life_0 is not null and life_1 is not null
),
told as (
    select pack, "offset", list(life_0 order by turn) as first, list(life_1 order by turn) as second
    from lives group by pack, "offset"
)
select * from told order by pack, "offset"
