-- games: every game of every pack; `left_out` says why statistics leave it out, and is null where it counts.
-- `judged` names games that were removed, or that a check has found altered or illegal.
-- Grain: one row a game (g). Unit: game. Definition version: m1.
-- Of two copies of one game (the same game_key) a dated one counts, else the first by id, pack and place.
create table games as
with read as (select * from read_parquet($files)),
judged as (
    select packs.no * 2147483648 + index as g, read.*,
        case
            when why = 'removed' then why
            when game_id is null then 'unreadable'
            when not ended then 'unfinished'
            when fault is not null then 'altered'
            when view is not null then 'one_seat'
            when why is not null then why
            when reason = 'error' then 'error'
            when coalesce(turns, 0) < 2 then 'short'
        end as flaw
    from read join packs using (pack) left join judged using (pack, "offset")
),
ranked as (
    select *, row_number() over (partition by game_key, flaw is null order by day is null, game_id, pack, index) as copy
    from judged
),
told as (
    select * exclude (flaw, copy), case when flaw is null and copy > 1 then 'duplicate' else flaw end as left_out
    from ranked
)
select * from told order by g;
