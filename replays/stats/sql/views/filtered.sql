-- filtered(filters): what the filters let through, as coarse as the filters allow (see sides); fitting(filters, detail):
-- the same in this detail, which may be finer. A filter that is null lets everything through, but for `unchecked`:
-- only where it is true do games count that cannot be checked. What a filter names is a list of values. Where families
-- are given, decks of one (`family_decks`) are known by its name (`family_names`, in the same order).
-- Grain: one row a side; `n` is how many games it stands for. Unit: a game seen from one seat. Definition version: m2.
create macro coarsest(f) as case
    when coalesce(f['player'], f['reasons']) is not null or coalesce(f['least_turns'], f['most_turns']) is not null then 0
    when coalesce(f['since'], f['until']) is not null then 1
    else 2
end;
create macro fitting(f, wanted) as table
with fitting as (
    select * replace (
        coalesce(f['family_names'][list_position(f['family_decks'], deck)], deck) as deck,
        coalesce(f['family_names'][list_position(f['family_decks'], against)], against) as against
    )
    from sides
    where detail = wanted and (checked or f['unchecked'])
        and (f['game'] is null or list_contains(f['game'], game))
        and (f['card_set'] is null or list_has_any(card_sets, f['card_set']))
        and (f['format'] is null or list_contains(f['format'], format))
        and (f['since'] is null or day >= f['since'])
        and (f['until'] is null or day <= f['until'])
        and (f['tags'] is null or list_has_all(tags, f['tags']))
        and (f['player'] is null or list_contains(f['player'], player))
        and (f['player_kind'] is null or list_contains(f['player_kind'], player_kind))
        and (f['deck'] is null or list_contains(f['deck'], deck))
        and (f['seat'] is null or first = (f['seat'] = 'first'))
        and (f['least_turns'] is null or turns >= f['least_turns'])
        and (f['most_turns'] is null or turns <= f['most_turns'])
        and (f['reasons'] is null or list_contains(f['reasons'], reason))
)
select * from fitting;
create macro filtered(f) as table
with told as (select * from fitting(f, coarsest(f)))
select * from told;
