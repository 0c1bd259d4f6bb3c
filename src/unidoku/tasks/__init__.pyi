"""The tasks for type checkers; at runtime, `unidoku.tasks` imports each on first use."""

from unidoku.tasks.canonical import Canonical as Canonical
from unidoku.tasks.check import Check as Check
from unidoku.tasks.convert import Convert as Convert
from unidoku.tasks.count import Count as Count
from unidoku.tasks.generate import Generate as Generate
from unidoku.tasks.hint import Hint as Hint
from unidoku.tasks.minimize import Minimize as Minimize
from unidoku.tasks.neighbours import Neighbours as Neighbours
from unidoku.tasks.rate import Rate as Rate
from unidoku.tasks.solutions import Solutions as Solutions
from unidoku.tasks.solve import Solve as Solve
from unidoku.tasks.steps import Steps as Steps
from unidoku.tasks.transform import Transform as Transform
from unidoku.tasks.verify import Verify as Verify
