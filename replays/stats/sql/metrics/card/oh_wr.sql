-- oh_wr: opening-hand win rate, over the copies in the hand that the game started with.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m2.
with rates as (select * from card_rates($filters, 'opening'))
select * from rates order by game, shrunk desc nulls last, code
