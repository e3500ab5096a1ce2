-- work_done: what a card does each time that it comes to the table or takes effect: damage to opposing cards, damage
-- to the opponent (in the game's own measure of life), cards drawn, opposing cards destroyed.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m1.
-- A strike is its source's work; a draw or a destruction that of the card behind its cause, one hop back, and a
-- card destroyed by damage is the work of what dealt the last of it for the same cause.
with work as (
    select u.game, c.code, c.uses::bigint as u, done.name, done.x::double as x
    from filtered($filters) as u join cards as c using (unit),
        unnest([
            {'name': 'damage_cards', 'x': damage_cards}, {'name': 'damage_player', 'x': damage_player},
            {'name': 'drew', 'x': drew}, {'name': 'destroyed', 'x': destroyed}
        ]) as _(done)
),
sums as (
    select game, code, name, count(*) filter (u > 0) as games, sum(u)::bigint as uses, sum(x) as x,
        sum(x * x) as x2, sum(x * u) as xu, sum(u * u)::double as u2
    from work group by game, code, name
),
means as (select *, x / nullif(uses, 0) as r, ratio_half(x / nullif(uses, 0), uses, x2, xu, u2) as half from sums),
told as (
    select game, code, any_value(games) as games, any_value(uses) as uses,
        max(r) filter (name = 'damage_cards') as damage_cards,
        max(r - half) filter (name = 'damage_cards') as damage_cards_low,
        max(r + half) filter (name = 'damage_cards') as damage_cards_high,
        max(r) filter (name = 'damage_player') as damage_player,
        max(r - half) filter (name = 'damage_player') as damage_player_low,
        max(r + half) filter (name = 'damage_player') as damage_player_high,
        max(r) filter (name = 'drew') as drew, max(r - half) filter (name = 'drew') as drew_low,
        max(r + half) filter (name = 'drew') as drew_high,
        max(r) filter (name = 'destroyed') as destroyed, max(r - half) filter (name = 'destroyed') as destroyed_low,
        max(r + half) filter (name = 'destroyed') as destroyed_high
    from means group by game, code
)
select * from told order by game, code
