-- turned_up_wr: win rate over the copies that the rules turned up, or an effect sent away, from the pile.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m1.
with rates as (select * from card_rates($filters, ['turned_up', 'milled']))
select * from rates order by game, shrunk desc nulls last, code
