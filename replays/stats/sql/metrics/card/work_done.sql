-- work_done: what a card does each time that it comes to the table or takes effect: damage to opposing cards, damage
-- to the opponent (in the game's own measure of life), cards drawn, opposing cards destroyed.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m2.
-- A strike is its source's work; a draw or a destruction that of the card behind its cause, one hop back, and a
-- card destroyed by damage is the work of what dealt the last of it for the same cause.
with work as (
    select game, code, sum(uses_n)::bigint as games, sum(uses)::bigint as uses, sum(uses_2) as u2,
        sum(columns('^(damage_cards|damage_player|drew|destroyed)(_2|_uses)?$'))
    from (select side, game from filtered($filters)) join card_sums using (side) group by game, code
),
sums as (
    select game, code, games, uses, u2, done.*
    from work, unnest([
        {'name': 'damage_cards', 'x': damage_cards, 'x2': damage_cards_2, 'xu': damage_cards_uses},
        {'name': 'damage_player', 'x': damage_player, 'x2': damage_player_2, 'xu': damage_player_uses},
        {'name': 'drew', 'x': drew, 'x2': drew_2, 'xu': drew_uses},
        {'name': 'destroyed', 'x': destroyed, 'x2': destroyed_2, 'xu': destroyed_uses}
    ]) as _(done)
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
