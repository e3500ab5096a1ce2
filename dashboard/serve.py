"""Starts the dashboard on this machine, for this machine only. The one place that knows how Streamlit is started."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from streamlit.web import bootstrap

from replays.store.library import default_path

WATCHED = "CARDFOLD_WATCH"
"""Environment variable with the file that the dashboard is started on. No address of a page can name a file."""

APP = Path(__file__).parent / "app.py"

FLAGS = {
    "server_address": "127.0.0.1",
    "server_headless": True,
    "server_maxUploadSize": 64,
    "server_allowedHosts": ["localhost", "127.0.0.1"],
    "server_fileWatcherType": "none",
    "browser_gatherUsageStats": False,
    "client_showErrorDetails": "none",
    "client_toolbarMode": "minimal",
    "logger_hideWelcomeMessage": True,
    "logger_level": "warning",
    "runner_magicEnabled": False,
}
"""Streamlit's own defaults listen to the whole network, report usage and take foreign host names."""

COLOURS = {
    "theme_font": "sans-serif",
    "theme_paddingTop": "2rem",
    "theme_headingFontSizes": ["1.75rem", "1.4rem", "1.2rem"],
    "theme_baseRadius": "8px",
    "theme_light_primaryColor": "#1A5BA8",
    "theme_light_backgroundColor": "#FFFFFF",
    "theme_light_secondaryBackgroundColor": "#F2F4F5",
    "theme_light_textColor": "#14181F",
    "theme_light_linkColor": "#1A5BA8",
    "theme_light_borderColor": "#D0D6DD",
    "theme_light_sidebar_backgroundColor": "#E9ECEF",
    "theme_light_sidebar_secondaryBackgroundColor": "#D9DEE3",
    "theme_dark_primaryColor": "#4C8FDB",
    "theme_dark_backgroundColor": "#171B20",
    "theme_dark_secondaryBackgroundColor": "#0E1114",
    "theme_dark_textColor": "#EDF1F5",
    "theme_dark_linkColor": "#7FB6F5",
    "theme_dark_borderColor": "#2B333C",
    "theme_dark_sidebar_backgroundColor": "#0E1114",
    "theme_dark_sidebar_secondaryBackgroundColor": "#22282F",
}


def serve(library: Path, port: int, watched: Path | None = None) -> None:
    """Serves the dashboard of a library, or the viewer on one file, at this port until stopped; prints the address."""
    os.environ["CARDFOLD_HOME"] = str(library)
    if watched is not None:
        os.environ[WATCHED] = str(watched)
    flags = {**FLAGS, **COLOURS, "server_port": port}
    bootstrap.load_config_options(flags)
    print(f"Cardfold's dashboard is at http://127.0.0.1:{port}", flush=True)
    bootstrap.run(str(APP), False, [], flags)


def main() -> None:
    """`python -m dashboard.serve --library DIR --port P`."""
    parser = argparse.ArgumentParser(prog="dashboard.serve", description="Opens the dashboard on a library.")
    parser.add_argument("--library", type=Path, default=None, help="folder of the library (else CARDFOLD_HOME)")
    parser.add_argument("--port", type=int, default=8501, help="port, 8501 if left out")
    parser.add_argument("--watch", type=Path, default=None, help="only the viewer, on this file")
    chosen = parser.parse_args()
    serve((chosen.library or default_path()).resolve(), chosen.port, chosen.watch and chosen.watch.resolve())


if __name__ == "__main__":
    main()
