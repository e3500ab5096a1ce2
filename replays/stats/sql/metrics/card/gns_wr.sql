-- gns_wr: not-seen win rate, over the copies that never left their starting pile.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m2.
with rates as (select * from card_rates($filters, 'unseen'))
select * from rates order by game, shrunk desc nulls last, code
