"""The public names for type checkers: the table in ``__init__.py`` has the same."""

from unidoku import (
    aio as aio,
    cell as cell,
    counting as counting,
    craft as craft,
    errors as errors,
    files as files,
    grid as grid,
    kernel as kernel,
    learning as learning,
    method as method,
    naive as naive,
    rating as rating,
    runner as runner,
    stepper as stepper,
    tasks as tasks,
    view as view,
)
from unidoku._options import Progress as Progress
from unidoku._table.column import Column as Column
from unidoku._table.puzzles import Result as Result, cells as cells, lines as lines
from unidoku._threads import Cancel as Cancel
from unidoku._verdict import ImproperPuzzleError as ImproperPuzzleError, Verdict as Verdict
from unidoku.craft._canonical import canonical as canonical, canonical_many as canonical_many
from unidoku.craft._diagnosis import Diagnosis as Diagnosis, diagnose as diagnose
from unidoku.craft._generate import AttemptsError as AttemptsError, generate as generate
from unidoku.craft._minimize import (
    minimal_puzzles as minimal_puzzles,
    minimize as minimize,
    minimize_many as minimize_many,
)
from unidoku.craft._neighbours import neighbours as neighbours
from unidoku.craft._transform import (
    Transformation as Transformation,
    transform as transform,
    transform_many as transform_many,
)
from unidoku.craft._verification import (
    Verification as Verification,
    verify as verify,
    verify_many as verify_many,
)
from unidoku.errors import (
    ArgumentError as ArgumentError,
    FormatError as FormatError,
    InputError as InputError,
    InvalidPuzzleError as InvalidPuzzleError,
    IsaError as IsaError,
    MissingExtraError as MissingExtraError,
    OutputError as OutputError,
    ResumeError as ResumeError,
    SearchStoppedError as SearchStoppedError,
    UnidokuError as UnidokuError,
)
from unidoku.files._formats import formats as formats
from unidoku.files._inputs import PuzzleBatch as PuzzleBatch, read as read
from unidoku.grid import Clash as Clash, Grid as Grid
from unidoku.rating._paths import steps_many as steps_many
from unidoku.rating._ratings import rate_many as rate_many
from unidoku.rating._scale import Rating as Rating, rate as rate
from unidoku.rating._steps import (
    Hint as Hint,
    Step as Step,
    Steps as Steps,
    all_steps as all_steps,
    hint as hint,
    steps as steps,
)
from unidoku.runner._many import run_many as run_many
from unidoku.runner._run import run as run
from unidoku.runner._summary import Summary as Summary
from unidoku.runner._writer import Writer as Writer
from unidoku.stepper._controller import Session as Session, trace as trace
from unidoku.tasks._audit import Audit as Audit, Finding as Finding, audit_files as audit_files
from unidoku.tasks._check import check_file as check_file
from unidoku.tasks._check_many import (
    check_many as check_many,
    count_many as count_many,
    solve_many as solve_many,
)
from unidoku.tasks._examine import Answer as Answer, examine as examine
from unidoku.tasks._single import check as check, count as count, solutions as solutions, solve as solve
from unidoku.tasks._split import split_file as split_file
from unidoku.view._explain import explain as explain
from unidoku.view._svg import link as link

__version__: str
