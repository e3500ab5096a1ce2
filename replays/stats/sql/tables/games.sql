-- games: every game of every pack; `left_out` says why statistics leave it out, and is null where it counts.
-- `judged` names games that were removed, or that no check has confirmed.
-- Grain: one row a game (g). Unit: game. Definition version: m2.
-- Of copies of one game (the same game_key) one counts: one that was checked, then a dated one, then the first by id,
-- pack and place. Games that cannot be checked are `unchecked`: they count where a filter asks for them.
create table games as
with read as (select * from read_parquet($files)),
judged as (
    select packs.no * 2147483648 + index as g, read.*,
        case
            when why = 'removed' then why
            when game_id is null then 'unreadable'
            when not ended then 'unfinished'
            when view is not null then 'one_seat'
            when why is not null and why <> 'unchecked' then why
            when fault is not null and why is null then 'altered'
            when reason = 'error' then 'error'
            when coalesce(turns, 0) < 2 then 'short'
            else why
        end as flaw
    from read join packs using (pack) left join judged using (pack, "offset")
),
ranked as (
    select *, row_number() over (
        partition by game_key, coalesce(flaw, 'unchecked') = 'unchecked'
        order by flaw is not null, day is null, game_id, pack, index
    ) as copy
    from judged
),
told as (
    select * exclude (flaw, copy),
        case when coalesce(flaw, 'unchecked') = 'unchecked' and copy > 1 then 'duplicate' else flaw end as left_out
    from ranked
)
select * from told order by g;
