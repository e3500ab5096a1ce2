-- games: what the change does to the result of who goes first, and to how games end.
-- Grain: one row for who goes first (`first_player`), and one a reason (`ending`). Unit: game. Definition version: m2.
-- `first_player` is the result of who goes first (a draw is ½), endings are shares of the games.
with firsts as (
    select number, max(w) filter (first) as w, max(changed_w) filter (changed_first) as changed_w
    from pairs group by number
),
one as (select distinct number, reason, changed_reason from pairs),
reasons as (select reason from one union select changed_reason from one),
ends as (
    select reasons.reason, (one.reason = reasons.reason)::int as w, (changed_reason = reasons.reason)::int as changed_w
    from one, reasons
),
measured as (
    select 'first_player' as measure, null as reason, w, changed_w from firsts where w is not null and changed_w is not null
    union all by name select 'ending' as measure, * from ends
),
sums as (
    select measure, reason, count(*) as games, avg(w) as printed, avg(changed_w) as changed,
        var_pop(w) + var_pop(changed_w) as variances, sum(changed_w - w) as s, sum((changed_w - w) ^ 2) as ss
    from measured group by measure, reason
),
told as (
    select measure, reason, games, printed, changed, s / games as difference,
        paired_low(games, s, ss) as low, paired_high(games, s, ss) as high,
        unpaired_half(variances, games) / paired_half(games, s, ss) as narrower
    from sums
)
select * from told order by measure = 'ending', printed desc, reason
