-- life_cards(filters): the cards whose pile is what the game is about: there, players with copies left have mostly won,
-- and who has turned cards up has mostly lost, whatever these cards do.
-- Grain: one row a game (of the list of games) and card. Unit: card. Definition version: m2.
create macro life_cards(f) as table
with told as (
    select distinct sides.game, code
    from filtered(f) as sides join (select side, code, pile from card_sums) as cards using (side)
        join game_piles using (game, pile) where life
)
select * from told;
