-- behind: the games that a row of a metric is made of, each from the seat that counts there. What is null is not asked.
-- `kind` says which copies of the card make a game count: those of the deck, held, in the opening hand, drawn, unseen,
-- played, or sent from the pile.
-- Grain: one row a game and seat. Unit: a game seen from one seat. Definition version: m2.
with fitting as (
    select units.* exclude (deck, against), chosen.deck, chosen.against
    from units join (select side, deck, against from fitting($filters, 0)) as chosen using (side)
    where ($game is null or game = $game) and ($deck is null or chosen.deck = $deck)
        and ($against is null or chosen.against = $against) and ($reason is null or reason = $reason)
        and ($turns is null or turns = $turns) and ($turn is null or turns >= $turn) and ($player is null or player = $player)
),
copies as (
    select unit, case $kind
        when 'held' then opening + drawn when 'opening' then opening when 'drawn' then drawn when 'unseen' then unseen
        when 'played' then played when 'sent' then turned_up + milled else deck end as k
    from cards where code = $code and ($first_turn is null or first_turn = $first_turn)
),
told as (
    select game_id, fitting.seat, fitting.game, player, deck, against, fitting.w as result, fitting.turns,
        fitting.reason, fitting.day
    from fitting join games using (g) left join copies using (unit)
    where ($code is null or k > 0)
        and ($other_code is null or unit in (select unit from cards where code = $other_code))
)
select * from told order by game_id, seat
