-- deck_list: the cards of a deck, as the first of its games has them.
-- Grain: one row a card. Unit: card. Definition version: m2.
with one as (select min(unit) as unit from units where game = $game and deck = $deck)
select $game as game, code, cards.deck as copies, pile from cards join one using (unit) order by copies desc, code
