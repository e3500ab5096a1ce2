-- added: opens the database in which the sums of all packs were added up.
attach '{path}' as added (read_only)
