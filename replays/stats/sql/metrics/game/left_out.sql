-- left_out: the games that no other number counts, by what is the matter with them.
-- Grain: one row a game (of the list of games) and reason. Unit: game. Definition version: m2.
-- Filters by seat, length and ending say nothing here: such games may have none of these.
with fitting as (
    select distinct g, game, left_out
    from games left join seats using (g)
    where left_out is not null
        and not (left_out = 'unchecked' and $filters['unchecked'])
        and ($filters['game'] is null or list_contains($filters['game'], game))
        and ($filters['card_set'] is null or list_has_any(card_sets, $filters['card_set']))
        and ($filters['format'] is null or list_contains($filters['format'], format))
        and ($filters['since'] is null or day >= $filters['since'])
        and ($filters['until'] is null or day <= $filters['until'])
        and ($filters['tags'] is null or list_has_all(tags, $filters['tags']))
        and ($filters['player'] is null or list_contains($filters['player'], player))
        and ($filters['player_kind'] is null or list_contains($filters['player_kind'], player_kind))
        and ($filters['deck'] is null or list_contains($filters['deck'], deck))
),
sums as (select game, left_out as reason, count(*) as games from fitting group by game, left_out)
select * from sums order by game nulls last, reason
