-- seats: who sat in each game, left out of statistics or not, and whom they met.
-- Grain: one row a game and seat (unit). Unit: a game seen from one seat. Definition version: m2.
create table seats as
with read as (
    select packs.no * 2147483648 + index as g, (packs.no * 2147483648 + index) * 2 + seat as unit,
        seats.* exclude (pack, index)
    from read_parquet($files) as seats join packs using (pack)
),
paired as (
    select one.*, other.deck as against, other.deck_name as against_name, other.player_kind as against_player_kind
    from read as one join read as other on one.g = other.g and one.seat <> other.seat
)
select * from paired order by unit;
