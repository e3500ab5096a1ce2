-- gd_wr: drawn win rate, over the copies that came by a plain draw later.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m2.
with rates as (select * from card_rates($filters, 'drawn'))
select * from rates order by game, shrunk desc nulls last, code
