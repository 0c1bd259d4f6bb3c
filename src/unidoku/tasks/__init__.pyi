"""The public names for type checkers: the table in ``__init__.py`` has the same."""

from unidoku.tasks._canonical import Canonical as Canonical
from unidoku.tasks._check import Check as Check
from unidoku.tasks._convert import Convert as Convert
from unidoku.tasks._count import Count as Count
from unidoku.tasks._generate import Generate as Generate
from unidoku.tasks._hint import HintTask as HintTask
from unidoku.tasks._minimize import Minimize as Minimize
from unidoku.tasks._neighbours import Neighbours as Neighbours
from unidoku.tasks._rate import Rate as Rate
from unidoku.tasks._solve import SolutionsTask as SolutionsTask, Solve as Solve
from unidoku.tasks._steps import StepsTask as StepsTask
from unidoku.tasks._transform import Transform as Transform
from unidoku.tasks._verify import Verify as Verify
