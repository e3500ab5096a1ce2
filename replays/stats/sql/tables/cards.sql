-- cards: copies of each card by what became of them, and the work that they did.
-- Grain: one row a game, seat and card. Unit: a game seen from one seat. Definition version: m2.
create table cards as
with read as (
    select (packs.no * 2147483648 + index) * 2 + seat as unit, cards.* exclude (pack, index, seat)
    from read_parquet($files) as cards join packs using (pack)
)
select * from read;
