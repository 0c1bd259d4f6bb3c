"""Names of the symmetries of a pattern of clues."""

from __future__ import annotations

from typing import Literal

SYMMETRIES: dict[str, tuple[int | Literal["horizontal", "vertical", "diagonal", "antidiagonal"], ...]] = {
    "none": (),
    "180": (180,),
    "90": (90, 180, 270),
    "horizontal": ("horizontal",),
    "vertical": ("vertical",),
    "diagonal": ("diagonal",),
    "full": (90, 180, 270, "horizontal", "vertical", "diagonal", "antidiagonal"),
}
"""The rotations, in degrees, and reflections that leave a pattern as it is."""
