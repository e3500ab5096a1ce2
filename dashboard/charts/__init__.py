"""Charts: figures of Plotly, and the small pictures inside tables. Colours from the fixed palette, never from a log."""
