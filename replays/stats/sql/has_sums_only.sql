-- has_sums_only: whether the warehouse has sums of games, and no single ones.
select coalesce(min(detail), 0) > 0 as has_sums_only from sides
