-- notable: counted games that are worth watching, the three foremost of each rulebook and sort:
-- closest: the winner had the least of its life left; longest: the most turns; biggest_turn: the most life lost in
-- one turn; upset: won by a side (deck and kind of player) that wins the smallest share against such a one, of
-- pairs that have met 20 times.
-- Grain: one row a sort and game. Unit: game. Definition version: m2.
with counted as (
    select g, game, pack, "offset", winner, turns from games
    where left_out is null and winner is not null and turns is not null
),
lives as (select g, turn, unnest([0, 1]) as seat, unnest([life_0, life_1]) as life from turns where life_0 is not null),
lost as (
    select g, seat, turn, life, coalesce(lag(life) over (partition by g, seat order by turn), life) - life as loss,
        max(life) over (partition by g, seat) as most
    from lives
),
ends as (select g, seat, arg_max(life, turn) as life, any_value(most) as most from lost group by g, seat),
turn_of as (
    select g, max(loss) as loss, arg_max(turn, loss) as turn from lost group by g
),
who as (select g, seat, deck || ' ' || player_kind as side, w from seats where w is not null and deck is not null),
met as (
    select game, a.side, b.side as against, avg(a.w) as rate, count(*) as n
    from who as a join who as b using (g) join counted using (g)
    where a.seat <> b.seat group by all having count(*) >= 20
),
beaten as (
    select counted.g, rate, n from counted join who as a on a.g = counted.g and a.seat = counted.winner
        join who as b on b.g = counted.g and b.seat <> counted.winner
        join met on met.game = counted.game and met.side = a.side and met.against = b.side
    where rate < 0.5
),
sorts as (
    select 'closest' as what, g, ends.life::double as amount, null::bigint as turn, null::bigint as games,
        -ends.life / nullif(most, 0) as score
    from counted join ends using (g) where ends.seat = winner and life > 0
    union all by name
    select 'longest' as what, g, turns::double as amount, turns::double as score from counted
    union all by name
    select 'biggest_turn' as what, g, loss::double as amount, turn::bigint as turn, loss::double as score
    from counted join turn_of using (g) where loss > 0
    union all by name
    select 'upset' as what, g, rate as amount, n::bigint as games, -rate as score from beaten
),
ranked as (
    select sorts.*, pack, "offset", counted.game, row_number() over (
        partition by what, counted.game order by score desc, turns desc, sorts.g desc
    ) as place
    from sorts join counted using (g)
),
told as (select what, game, pack, "offset", amount, turn, games, place from ranked where place <= 3)
select * from told order by what, place, game
