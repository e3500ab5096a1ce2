"""The base of all that is raised to be read by a user."""

from __future__ import annotations

from typing import ClassVar


class CardfoldError(Exception):
    """Something that was given, or is there, cannot be used; the message is a sentence for whoever gave it.

    Any other exception that reaches a user is a fault of ours.
    """

    exit_code: ClassVar[int] = 2
    """of a command that ends by it"""
