"""The public names for type checkers: the module itself and its table have the same."""

from unidoku.view.diagnose import diagnose_page as diagnose_page
from unidoku.view.explain import play_record as play_record
from unidoku.view.pages import Playback as Playback
from unidoku.view.sheets import Sheets as Sheets
from unidoku.view.step import picture as picture
from unidoku.view.svg import link as link, svg as svg, text as text
from unidoku.view.trace import play_trace as play_trace
