-- piles: the piles that set-up shuffled, where the order is known.
-- Grain: one row a game, seat and pile. Unit: a game seen from one seat. Definition version: m2.
create table piles as
with read as (
    select (packs.no * 2147483648 + index) * 2 + seat as unit, piles.* exclude (pack, index, seat)
    from read_parquet($files) as piles join packs using (pack)
)
select * from read;
