-- decisions: what was asked, and what was done.
-- Grain: one row a decision. Unit: decision. Definition version: m1.
create table decisions as
with read as (
    select packs.no * 2147483648 + index as g, decisions.* exclude (pack, index)
    from read_parquet($files) as decisions join packs using (pack)
)
select * from read order by g, record;
