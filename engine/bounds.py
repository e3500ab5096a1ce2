"""How much of anything a table holds at most, so that no stranger's log can exhaust time or memory."""

from __future__ import annotations

from events.kinds import FIRST_CARD, FIRST_ITEM

MAX_IN_ZONE = FIRST_ITEM - FIRST_CARD
"""Most cards of a zone, hidden ones counted, and most items on the stack."""

MAX_COUNTERS = 100
"""Most counters that one card may have: they are copied with each change."""
