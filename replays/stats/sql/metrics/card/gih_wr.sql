-- gih_wr: in-hand win rate, over the copies in the opening hand or drawn later.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m2.
with rates as (select * from card_rates($filters, 'held'))
select * from rates order by game, shrunk desc nulls last, code
