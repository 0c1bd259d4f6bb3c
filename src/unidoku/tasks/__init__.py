"""The tasks of `unidoku.run` and `unidoku.run_many`: ``unidoku.tasks.Rate(below=9.0)`` and so on.

Each capability is a module with its task, its work, its public functions, and its command, if it has one.
Functions in memory that engines need too are in an engine, which the docstring of the module names.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
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
else:
    from unidoku.lazy import lazy

    __all__, __getattr__, __dir__ = lazy(__name__)
