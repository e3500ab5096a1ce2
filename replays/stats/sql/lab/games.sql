-- games: what the change does to the length of games, to who goes first, and to how games end.
-- Grain: one row a measure, and for endings one row a reason. Unit: game. Definition version: m1.
-- `turns` is a mean; `first_player` is the result of who goes first (a draw is ½); endings are shares of the games.
with seats as (
    select number, turns, changed_turns, reason, changed_reason,
        max(w) filter (first) as w, max(changed_w) filter (changed_first) as changed_w
    from pairs group by all
),
one as (
    select number, turns, changed_turns, reason, changed_reason, max(w) as w, max(changed_w) as changed_w
    from seats group by all
),
lengths as (
    select 'turns' as measure, null as reason, count(*) as games, avg(turns) as printed, avg(changed_turns) as changed,
        avg(changed_turns - turns) as difference,
        mean_half(count(*), sum(changed_turns - turns), sum((changed_turns - turns) ^ 2)) as half,
        sqrt(var_samp(turns) + var_samp(changed_turns)) / nullif(stddev_samp(changed_turns - turns), 0) as narrower
    from one
),
firsts as (
    select count(*) as games, avg(w) as printed, avg(changed_w) as changed,
        var_pop(w) + var_pop(changed_w) as variances, sum(changed_w - w) as s, sum((changed_w - w) ^ 2) as ss
    from one where w is not null and changed_w is not null
),
reasons as (select reason from one union select changed_reason from one),
ends as (
    select reasons.reason, count(*) as games, avg((one.reason = reasons.reason)::int) as printed,
        avg((changed_reason = reasons.reason)::int) as changed,
        var_pop((one.reason = reasons.reason)::int) + var_pop((changed_reason = reasons.reason)::int) as variances,
        sum((changed_reason = reasons.reason)::int - (one.reason = reasons.reason)::int) as s,
        sum(((changed_reason = reasons.reason)::int - (one.reason = reasons.reason)::int) ^ 2) as ss
    from one, reasons group by reasons.reason
),
shares as (
    select 'first_player' as measure, null as reason, * from firsts where games > 0
    union all by name select 'ending' as measure, * from ends
),
told as (
    select measure, reason, games, printed, changed, difference, difference - half as low, difference + half as high,
        narrower, 0 as place
    from lengths where games > 0
    union all by name
    select measure, reason, games, printed, changed, s / games as difference,
        paired_low(games, s, ss) as low, paired_high(games, s, ss) as high,
        unpaired_half(variances, games) / paired_half(games, s, ss) as narrower,
        if(measure = 'first_player', 1, 2) as place
    from shares
)
select * exclude (place) from told order by place, printed desc, reason
