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
    native as native,
    parse as parse,
    rating as rating,
    runner as runner,
    stepper as stepper,
    table as table,
    task as task,
    tasks as tasks,
    threads as threads,
    verdict as verdict,
    view as view,
)
from unidoku.craft.canonical import canonical as canonical, canonical_many as canonical_many
from unidoku.craft.diagnosis import Diagnosis as Diagnosis, diagnose as diagnose
from unidoku.craft.generate import AttemptsError as AttemptsError, generate as generate
from unidoku.craft.minimize import (
    minimal_puzzles as minimal_puzzles,
    minimize as minimize,
    minimize_many as minimize_many,
)
from unidoku.craft.neighbours import neighbours as neighbours
from unidoku.craft.transform import (
    Transformation as Transformation,
    transform as transform,
    transform_many as transform_many,
)
from unidoku.craft.verification import (
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
from unidoku.files.formats import formats as formats
from unidoku.files.inputs import PuzzleBatch as PuzzleBatch, read as read
from unidoku.grid import Clash as Clash, Grid as Grid
from unidoku.many import run_many as run_many
from unidoku.options import Progress as Progress
from unidoku.rating.paths import steps_many as steps_many
from unidoku.rating.ratings import rate_many as rate_many
from unidoku.rating.scale import Rating as Rating, rate as rate
from unidoku.rating.steps import (
    Hint as Hint,
    Step as Step,
    Steps as Steps,
    all_steps as all_steps,
    hint as hint,
    steps as steps,
)
from unidoku.runner.run import run as run
from unidoku.runner.summary import Summary as Summary
from unidoku.runner.writer import Writer as Writer
from unidoku.stepper.controller import Session as Session, trace as trace
from unidoku.table.column import Column as Column
from unidoku.table.puzzles import Result as Result, cells as cells, lines as lines
from unidoku.tasks.audit import Audit as Audit, Finding as Finding, audit_files as audit_files
from unidoku.tasks.check import check_file as check_file
from unidoku.tasks.check_many import (
    check_many as check_many,
    count_many as count_many,
    solve_many as solve_many,
)
from unidoku.tasks.examine import Answer as Answer, examine as examine
from unidoku.tasks.single import check as check, count as count, solutions as solutions, solve as solve
from unidoku.tasks.split import split_file as split_file
from unidoku.threads import Cancel as Cancel
from unidoku.verdict import ImproperPuzzleError as ImproperPuzzleError, Verdict as Verdict
from unidoku.view.explain import explain as explain
from unidoku.view.svg import link as link

__version__: str
