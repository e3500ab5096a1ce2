-- turned_up_wr: win rate over the copies that the rules turned up, or an effect sent away, from the pile.
-- Grain: one row a game (of the list of games) and card. Unit: a game seen from one seat. Definition version: m2.
-- Not defined, with the reason `life`, where the pile is what the game is about: there the loser turns cards up.
with rates as (
    select * from card_rates($filters, 'sent') left join (select *, 'life' as undefined from life_cards($filters)) using (game, code)
),
told as (
    select game, code, copies, games, draws,
        if(undefined is null, columns(* exclude (game, code, copies, games, draws, undefined)), null), undefined
    from rates
)
select * from told order by game, shrunk desc nulls last, code
