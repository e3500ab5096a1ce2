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
results as (select measure, reason, paired(w, changed_w) as result from measured group by measure, reason),
told as (select measure, reason, result.* from results)
select * from told order by measure = 'ending', printed desc, reason
