-- filter_values: what filters that name something can name: the value, what people call it, and the game.
-- Grain: one row a filter, value, name and game. Unit: none. Definition version: m2.
create table filter_values as
with kept as (select * from games where left_out is null or left_out not in ('removed', 'unreadable')),
sat as (select kept.game, player, player_kind, deck, deck_name from seats join kept using (g)),
found as (
    select 'game' as filter, game as value, game as called, game from kept
    union select 'card_set', unnest(card_sets) as value, value, game from kept
    union select 'format', format, format, game from kept
    union select 'tags', unnest(tags) as value, value, game from kept
    union select 'reasons', reason, reason, game from kept
    union select 'player', player, player, game from sat
    union select 'player_kind', player_kind, player_kind, game from sat
    union select 'deck', deck, coalesce(deck_name, ''), game from sat
),
told as (select * from found where value <> '')
select * from told order by filter, value, called, game;
