-- played_wr: win rate over the copies that were played from the hand.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m2.
with rates as (select * from card_rates($filters, 'played'))
select * from rates order by game, shrunk desc nulls last, code
