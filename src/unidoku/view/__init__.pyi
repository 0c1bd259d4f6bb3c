"""The public names for type checkers: the module itself and its table have the same."""

from unidoku.view.pages import Playback as Playback
from unidoku.view.sheets import Sheets as Sheets
from unidoku.view.svg import link as link, svg as svg, text as text
