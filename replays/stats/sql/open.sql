-- Opens the warehouse for reading, beside an empty database in memory.
attach '{path}' as warehouse (read_only)
