-- card_sums: what the copies of a card did in the games of a side, added up. Of each class the copies (`opening`), their
-- squares by game (`opening_2`) and the games with any (`opening_n`). `held` are those in the opening hand or drawn
-- later, `sent` those turned up or milled, `all_held` those that came to the hand in any way, `held_played` those of
-- them that were played; `turn` is that of the first play, `waited` the turns that played copies were held.
-- Grain: one row a side, card and length of games (in fives of turns). Unit: a game seen from one seat. Definition version: m2.
create table card_sums as
with copies as (
    select side, length, code, pile, redrawn, first_turn::double as turn, turns_held::double as waited, deck::bigint as deck,
        opening::bigint as opening, drawn::bigint as drawn, (opening + drawn)::bigint as held, unseen::bigint as unseen,
        played::bigint as played, (turned_up + milled)::bigint as sent, (opening + drawn + fetched)::bigint as all_held,
        held_played::bigint as held_played, uses::double as uses, damage_cards::double as damage_cards,
        damage_player::double as damage_player, drew::double as drew, destroyed::double as destroyed
    from cards join (select unit, side, turns // 5 as length from units) using (unit)
),
told as (
    select side, length, code, min(pile) as pile, count(*) as n,
        sum(deck)::bigint as deck, sum(deck * deck)::bigint as deck_2, count(*) filter (deck > 0) as deck_n,
        sum(opening)::bigint as opening, sum(opening * opening)::bigint as opening_2, count(*) filter (opening > 0) as opening_n,
        sum(drawn)::bigint as drawn, sum(drawn * drawn)::bigint as drawn_2, count(*) filter (drawn > 0) as drawn_n,
        sum(held)::bigint as held, sum(held * held)::bigint as held_2, count(*) filter (held > 0) as held_n,
        sum(unseen)::bigint as unseen, sum(unseen * unseen)::bigint as unseen_2, count(*) filter (unseen > 0) as unseen_n,
        sum(played)::bigint as played, sum(played * played)::bigint as played_2, count(*) filter (played > 0) as played_n,
        sum(sent)::bigint as sent, sum(sent * sent)::bigint as sent_2, count(*) filter (sent > 0) as sent_n,
        sum(all_held)::bigint as all_held, sum(all_held * all_held)::bigint as all_held_2, count(*) filter (all_held > 0) as all_held_n,
        sum(held_played)::bigint as held_played, sum(held_played * held_played)::bigint as held_played_2, count(*) filter (held_played > 0) as held_played_n,
        sum(held * unseen)::bigint as held_unseen, sum(all_held * held_played)::bigint as all_held_played,
        count(*) filter (redrawn > 0) as redrawn_n, sum(redrawn)::bigint as redrawn,
        count(turn) as turn_n, sum(turn) as turn, sum(turn * turn) as turn_2,
        sum(waited) as waited, sum(waited * waited) as waited_2, sum(waited * held_played) as waited_played,
        count(*) filter (uses > 0) as uses_n, sum(uses) as uses, sum(uses * uses) as uses_2,
        sum(damage_cards) as damage_cards, sum(damage_cards * damage_cards) as damage_cards_2, sum(damage_cards * uses) as damage_cards_uses,
        sum(damage_player) as damage_player, sum(damage_player * damage_player) as damage_player_2, sum(damage_player * uses) as damage_player_uses,
        sum(drew) as drew, sum(drew * drew) as drew_2, sum(drew * uses) as drew_uses,
        sum(destroyed) as destroyed, sum(destroyed * destroyed) as destroyed_2, sum(destroyed * uses) as destroyed_uses
    from copies group by side, length, code
)
select * from told order by side, length, code;
