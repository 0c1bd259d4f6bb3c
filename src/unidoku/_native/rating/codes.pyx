"""The codes of the rating engine: techniques, kinds, names, links, reasons and outcomes; the layout of a row.

They are the same for each instruction set, and are loaded without an engine.
"""

cdef StepRow layout  # for the places of its fields
ROW_LAYOUT = {
    "cells_low": <char*> &layout.cells[0] - <char*> &layout,
    "cells_high": <char*> &layout.cells[1] - <char*> &layout,
    "others_low": <char*> &layout.others[0] - <char*> &layout,
    "others_high": <char*> &layout.others[1] - <char*> &layout,
    "placements_end": <char*> &layout.placements_end - <char*> &layout,
    "eliminations_end": <char*> &layout.eliminations_end - <char*> &layout,
    "links_end": <char*> &layout.links_end - <char*> &layout,
    "nodes_end": <char*> &layout.nodes_end - <char*> &layout,
    "digits": <char*> &layout.digits - <char*> &layout,
    "placement": <char*> &layout.placement - <char*> &layout,
    "before": <char*> &layout.before[0] - <char*> &layout,
    "technique": <char*> &layout.technique - <char*> &layout,
    "rating": <char*> &layout.rating - <char*> &layout,
    "kind": <char*> &layout.kind - <char*> &layout,
    "name": <char*> &layout.name - <char*> &layout,
    "house": <char*> &layout.house - <char*> &layout,
    "other": <char*> &layout.other - <char*> &layout,
    "size": sizeof(StepRow),
}
"""Where the fields of a row of steps are, and its size."""
