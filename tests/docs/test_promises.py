"""Promises of SECURITY.md and of the pages on files, long runs and embedding, and the tests that hold them.

A sentence that is changed on its page, or a test that goes, makes this table fail.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PROMISES = {
    "SECURITY.md": {
        "Every reader takes time linear in its input and a bounded amount of memory, whatever the bytes.": (
            "files/test_linear.py::test_work_is_linear",
            "files/test_linear.py::test_memory_is_constant",
        ),
        "A compressed input may not cost more than a bound that depends on its compressed size": (
            "files/test_bounds.py::test_decompressed_bytes_are_bounded",
        ),
        "XML with a document type declaration is refused.": (
            "files/test_grids.py::test_xml_that_is_refused",
        ),
        "give a `budget` of guesses, or a `cancel` flag": (
            "test_interrupts.py::test_work_ends",
            "examples/test_service.py::test_the_budget_makes_unknown_the_same_every_time",
        ),
        "**Files that unidoku did not make are not removed or overwritten.**": (
            "parts/test_foreign_files.py::test_an_output_folder_with_files_of_others",
            "parts/test_foreign_files.py::test_temporary_files_of_others",
            "view/test_folder.py::test_foreign_files_are_refused_and_kept",
        ),
        "refuses an output that is one of its inputs": (
            "files/test_overlap.py::test_every_command_refuses_its_input_as_output",
        ),
        "escape everything that comes from a puzzle or a file": (
            "view/test_folder.py::test_names_from_outside_stay_text",
        ),
        "**Manifests and part files of a run** are checked when a run is resumed": (
            "parts/test_resume.py::test_a_damaged_plan_is_an_error",
            "parts/test_resume.py::test_a_part_with_a_damaged_record_is_made_again",
            "parts/test_resume.py::test_a_part_that_is_not_its_own_is_made_again",
        ),
    },
    "docs/files.md": {
        "several members in one file are read one after the other": (
            "files/test_source.py::test_compressed_with_any_number_of_members",
        ),
        "a pattern such as": ("files/test_inputs.py::test_patterns",),
        "A tar archive may be compressed": ("files/test_inputs.py::test_archives",),
        "An unknown suffix or a missing library is reported before anything is created.": (
            "parts/test_foreign_files.py::test_nothing_is_created_for_an_impossible_request",
        ),
        "A file that a command writes appears when it is complete.": (
            "files/test_output.py::test_an_output_appears_at_the_end",
            "files/test_roundtrip.py::test_an_output_appears_whole_or_not_at_all",
            "cli/test_signals.py::test_a_signal_ends_a_command_and_keeps_what_is_done",
        ),
        "What an unfinished run has done is not lost.": (
            "cli/test_signals.py::test_a_signal_ends_a_command_and_keeps_what_is_done",
        ),
        "keep their types between JSON, Parquet and Arrow": (
            "files/test_rows.py::test_values_keep_their_types_in_every_pair_of_formats",
        ),
        "A record that is no puzzle is a row like any other in tables": (
            "files/test_rows.py::test_rows_that_are_no_puzzles_keep_place_and_columns",
        ),
        "a larger number becomes 2⁶⁴ − 1 with `complete` false": (
            "files/test_formats.py::test_a_count_beyond_64_bits_is_a_lower_bound",
        ),
        "`unidoku count` prints it exactly.": (
            "cli/test_terminal.py::test_counts_of_more_than_64_bits_are_exact_in_the_rows_of_count",
        ),
        "Their offsets, indices and run ends are checked before anything is computed on them": (
            "files/test_arrowfile.py::test_damaged_buffers_are_refused",
            "test_arrow.py::test_damaged_columns_are_refused",
        ),
        "So a puzzle repeated a million times is read, however small it is compressed.": (
            "files/test_bounds.py::test_a_million_times_the_same_puzzle",
        ),
        "A zip archive whose members share bytes is refused.": (
            "files/test_inputs.py::test_overlapping_members_are_refused",
        ),
        "the summary keeps the first 20 errors and counts all": (
            "run/test_failures.py::test_the_first_errors_are_kept_and_all_are_counted",
        ),
    },
    "docs/scaling.md": {
        "The same inputs and options give the same rows in every way of running": (
            "parts/test_resume.py::test_parts_are_the_whole",
            "parts/test_resume.py::test_stopped_and_resumed",
            "run/test_check_file.py::test_output_does_not_depend_on_threads_or_cuts",
        ),
        "if such a field comes later, the run reports it": (
            "parts/test_csv.py::test_quotes_later_over_line_ends_are_refused",
        ),
        "if the two differ, it ends with an error that names the first difference": (
            "parts/test_resume.py::test_other_options_or_another_input_are_refused",
        ),
        "Line numbers are those of the input file": (
            "parts/test_resume.py::test_line_numbers_are_those_of_the_file",
        ),
        "every reader of Parquet data sets reads it": (
            "parts/test_tables.py::test_polars_and_duckdb_read_the_folder",
        ),
        "exit code 130, 143, 129; the parts; `--resume` continues": (
            "cli/test_signals.py::test_a_run_in_parts_ends_in_good_order",
        ),
        "SIGKILL, power loss | the parts; `--resume` continues": (
            "parts/test_killed.py::test_killed_at_random_moments",
            "parts/test_faults.py::test_a_run_survives",
        ),
        "an input grows or changes | exit code 2, the file is named": (
            "parts/test_resume.py::test_an_input_that_changes_is_named",
        ),
        "an output that another run is writing": ("parts/test_resume.py::test_two_runs_of_one_output",),
        "an output that is one of the inputs": (
            "files/test_overlap.py::test_an_input_given_by_another_name",
        ),
        "SIGKILL and power loss leave them; the next run of the same output removes them, and no others.": (
            "files/test_storage.py::test_a_killed_writers_file_is_taken_over",
            "parts/test_foreign_files.py::test_temporary_files_of_others",
        ),
        "Each range is one task, which Dask tries three times": (
            "parts/test_cluster.py::test_a_worker_killed_in_mid_run_loses_nothing",
        ),
    },
    "docs/embedding.md": {
        "and a grid as a line of 81 cells.": ("test_grid.py::test_pydantic_reads_and_writes_answers",),
        "the answer is an object too": (
            "test_json.py::test_an_encoder_of_json_takes_every_result_of_one_puzzle",
        ),
        "is refused before it is read.": ("test_single.py::test_a_long_text_is_refused_before_it_is_read",),
        "the same puzzle gets the same answer on every machine": (
            "examples/test_service.py::test_the_budget_makes_unknown_the_same_every_time",
        ),
        "All functions may be called from any number of threads at once": (
            "native/test_lanes.py::test_many_threads_at_once",
        ),
        "`import unidoku` imports nothing else.": ("test_package.py::test_import_loads_nothing_heavy",),
        "Ctrl-C ends every function within a tenth of a second": ("test_interrupts.py::test_work_ends",),
        "a second Ctrl-C does not wait for the work in hand": (
            "test_interrupts.py::test_a_second_ctrl_c_ends_at_once",
        ),
        "A thread does not end when the task that waits for it is cancelled": (
            "test_single.py::test_the_asyncio_recipe_ends_its_thread",
        ),
    },
}
CASES = [(page, promise) for page, promises in PROMISES.items() for promise in promises]


@cache
def words(page):
    """The text of a page, with single blanks."""
    return " ".join((ROOT / page).read_text(encoding="utf-8").split())


@cache
def names_of(file):
    """Names of the tests of a file."""
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("page", "promise"), CASES)
def test_a_promise_has_a_test(page, promise):
    assert promise in words(page)
    assert PROMISES[page][promise]
    for node in PROMISES[page][promise]:
        file, _, name = node.partition("::")
        assert name in names_of(file), node
