"""The public names for type checkers: the table in ``__init__.py`` has the same."""

from unidoku.tasks.canonical import Canonical as Canonical
from unidoku.tasks.check import Check as Check
from unidoku.tasks.convert import Convert as Convert
from unidoku.tasks.count import Count as Count
from unidoku.tasks.generate import Generate as Generate
from unidoku.tasks.hint import HintTask as HintTask
from unidoku.tasks.minimize import Minimize as Minimize
from unidoku.tasks.neighbours import Neighbours as Neighbours
from unidoku.tasks.rate import Rate as Rate
from unidoku.tasks.solve import SolutionsTask as SolutionsTask, Solve as Solve
from unidoku.tasks.steps import StepsTask as StepsTask
from unidoku.tasks.transform import Transform as Transform
from unidoku.tasks.verify import Verify as Verify
