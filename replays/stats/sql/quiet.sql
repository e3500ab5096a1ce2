-- quiet: no bar of progress on standard output, which DuckDB draws where it takes a worker process for a notebook.
set enable_progress_bar = false;
