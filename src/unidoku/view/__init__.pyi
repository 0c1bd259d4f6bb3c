"""The public names for type checkers: the module itself and its table have the same."""

from unidoku.view._diagnose import diagnose_page as diagnose_page
from unidoku.view._explain import play_record as play_record
from unidoku.view._pages import Playback as Playback
from unidoku.view._sheets import Sheets as Sheets
from unidoku.view._step import picture as picture
from unidoku.view._svg import link as link, svg as svg, text as text
from unidoku.view._trace import play_trace as play_trace
