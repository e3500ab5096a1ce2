-- length: what the change does to how many turns a game has.
-- Grain: one row. Unit: game. Definition version: m2. No row where nothing was played both ways.
with one as (select distinct number, turns, changed_turns from pairs),
sums as (
    select count(*) as games, avg(turns) as printed, avg(changed_turns) as changed,
        avg(changed_turns - turns) as difference,
        mean_half(count(*), sum(changed_turns - turns), sum((changed_turns - turns) ^ 2)) as half,
        sqrt(var_samp(turns) + var_samp(changed_turns)) / nullif(stddev_samp(changed_turns - turns), 0) as narrower
    from one
),
told as (
    select games, printed as turns_before, changed as turns_after, difference as turns_change,
        difference - half as low, difference + half as high, narrower
    from sums where games > 0
)
select * from told
