-- gp_wr: win rate in deck, over the copies in the deck list.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m2.
with rates as (select * from card_rates($filters, 'deck'))
select * from rates order by game, shrunk desc nulls last, code
