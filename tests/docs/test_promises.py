"""Promises of SECURITY.md and of the pages on files, long runs, embedding and learning, and their tests.

A sentence that is changed on its page, or a test that goes, makes this table fail. The promises of a page are
below its name, and the tests of a promise below that.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PROMISES = """
SECURITY.md
  **Input files may be untrusted.**
    fuzz/test_fuzz.py::test_mutations
    fuzz/test_columnar.py::test_damaged_files
  repeats in many rows is decoded for a few rows at a time
    files/test_bounds.py::test_a_value_that_many_rows_have_is_not_decoded_for_all_of_them
  unidoku does not bound what PyArrow decompresses at once
    files/test_bounds.py::test_what_a_page_of_a_parquet_file_takes
  If pages of `DELTA_BYTE_ARRAY` follow pages of another encoding in a column of a Parquet file
    files/test_bounds.py::test_what_pages_of_two_encodings_take
  limit the memory of the process
    native/test_allocation.py::test_a_command_with_little_memory
  **Memory may run out.**
    native/test_allocation.py::test_a_call_with_little_memory
    native/test_allocation.py::test_each_allocation_of_a_native_module
  a command ends with exit code 2 and a line that begins with "error:"
    native/test_allocation.py::test_a_command_with_little_memory
  Three libraries may end the process themselves
    native/test_allocation.py::test_a_command_with_little_memory
  In this case too, outputs are as they were.
    native/test_allocation.py::test_a_command_with_little_memory
  `--max-size` sets another bound.
    files/test_bounds.py::test_size
    files/test_bounds.py::test_decompressed_bytes_are_bounded
  Nothing is fetched from the network because a file says so.
    files/test_grids.py::test_xml_that_is_refused
  A run removes only files whose names say that it made them
    view/test_folder.py::test_a_damaged_manifest_names_nothing
    parts/test_foreign_files.py::test_a_run_without_resume_removes_only_what_an_earlier_run_made
  and load nothing
    view/test_pages.py::test_the_pages_need_nothing_else
    view/test_diagnose.py::test_the_page_needs_nothing_else
    view/test_sheets.py::test_the_page_loads_nothing_and_escapes_everything
  Every reader takes time linear in its input and a bounded amount of memory, whatever the bytes.
    files/test_linear.py::test_work_is_linear
    files/test_linear.py::test_memory_is_constant
  The content of a compressed input has a bound that depends on its compressed size
    files/test_bounds.py::test_decompressed_bytes_are_bounded
  XML with a document type declaration is refused.
    files/test_grids.py::test_xml_that_is_refused
  give a `budget` of guesses, or a `cancel` flag
    test_interrupts.py::test_work_ends
    examples/test_service.py::test_the_budget_makes_unknown_the_same_every_time
  **Files that unidoku did not make are not removed or overwritten.**
    parts/test_foreign_files.py::test_a_folder_with_files_of_others
    parts/test_foreign_files.py::test_temporary_files_of_others
    view/test_folder.py::test_foreign_files_are_refused_and_kept
  refuses an output that is one of its inputs
    cli/test_outputs.py::test_every_command_refuses_its_input_as_output
  escape everything that comes from a puzzle or a file
    view/test_folder.py::test_names_from_outside_stay_text
  **The plan, the parts and the records of a run** are checked when it is resumed
    parts/test_resume.py::test_a_damaged_plan_is_an_error
    parts/test_resume.py::test_a_part_with_a_damaged_record_is_made_again
    parts/test_resume.py::test_a_part_that_was_changed_is_made_again
docs/files.md
  A puzzle that needs one gets the rating 9.0, and a further column, `at_least`, is true
    rating/test_se121.py::test_below_is_a_cap
  Parquet and Arrow files name the scale, the version of unidoku and the options in their metadata
    rating/test_rate_file.py::test_types_and_metadata
  chains are followed from at most N candidates in each puzzle; one that needs more has a reason
    rating/test_rate_file.py::test_pencil_marks_and_the_budget_give_reasons
  Every command reads every format below, and every command reads every file that another
    files/test_formats.py::test_what_check_writes_every_command_reads
    files/test_formats.py::test_what_convert_writes_every_command_reads
  Content that fits several formats is an error that lists them.
    files/test_grids.py::test_contents_that_fit_several_formats
  hidden files (`.…`, `_…`) and the records of an unfinished run are skipped
    files/test_formats.py::test_a_folder_is_read_in_order_without_other_files
  All formats with rows except Parquet can also be written to standard output
    cli/test_inputs.py::test_formats_of_standard_output
  If the candidates contain more information than the clues, they are the puzzle
    files/test_samples.py::test_eliminated_candidates_are_the_puzzle
  A record that is not a puzzle does not stop a run: it is reported with file, line, column
    cli/test_inputs.py::test_a_record_that_is_not_a_puzzle
    cli/test_inputs.py::test_a_record_that_is_not_a_puzzle
  Inputs without any record are an error (exit code 2; `--allow-empty` accepts them)
    cli/test_inputs.py::test_no_puzzle_at_all_is_an_error
    cli/test_inputs.py::test_a_binary_file_is_one_error
  Only standard output, devices and pipes get rows at once.
    parts/test_foreign_files.py::test_a_pipe_is_written_not_replaced
  If it grows, shrinks or is written again between the time when it is opened
    files/test_inputs.py::test_an_input_that_changes_while_it_is_read_is_an_error
    files/test_truncated.py::test_a_file_cut_short_during_a_run_is_an_error
  If one of several inputs cannot be read, the others are read
    cli/test_outputs.py::test_without_one_of_the_inputs_the_rows_are_beside_the_output
    run/test_check_file.py::test_several_inputs_one_of_them_missing
  if there are two of these, or none, the error lists the columns of the file
    files/test_bounds.py::test_names_without_the_column
  a later value of another type is an error that names file and column
    files/test_rows.py::test_a_value_of_another_type_than_the_first_is_named
  `.sdk`) leave it out; the summary says how many there were
    files/test_rows.py::test_formats_of_puzzles_alone_leave_them_out
  of several grids the last one counts
    run/test_verify.py::test_a_grid_is_found
  the exit code is 0 only if every answer is right
    cli/test_craft.py::test_only_a_right_answer_gives_exit_code_0
  a number that is not less than the count so far is not compared
    run/test_verify.py::test_a_number_that_is_not_compared_is_absent_with_a_reason
  `--json` also has the counts of each file, under `files`.
    cli/test_check.py::test_answers_are_counted_as_a_whole_and_by_file
  count` is then a lower bound, and text outputs show `960+`
    run/test_sinks.py::test_a_count_that_the_budget_cuts_off_is_marked
  only with `--limit 1`: there is a solution, and no second one was searched for
    run/test_check_file.py::test_limit_one_is_unknown
  Content that the format cannot hold (pencil marks in `.sdk`) is an error.
    files/test_roundtrip.py::test_what_a_format_cannot_hold
  with pencil marks if all 729 characters are
    files/test_roundtrip.py::test_dedupe_compares_all_pencil_marks
  writes each puzzle where it occurs first
    files/test_roundtrip.py::test_dedupe_keeps_the_first_record
  the column is read in place
    test_arrow.py::test_column_is_not_copied
  for a record batch reader, a reader that works batch by batch
    test_arrow.py::test_reader_in_reader_out
  metadata, under `unidoku`
    files/test_formats.py::test_the_schema_has_the_options
  the error names the file, the line and the limit
    files/test_bounds.py::test_size_of_a_header
    files/test_bounds.py::test_number_of_keys
    files/test_linear.py::test_metadata_of_sdk_is_bounded
  if another program shortens a file during a run, an ordinary error is reported
    files/test_truncated.py::test_a_file_cut_short_during_a_run_is_an_error
  several members in one file are read one after the other
    files/test_source.py::test_compressed_with_any_number_of_members
  a pattern such as
    files/test_inputs.py::test_patterns
  A tar archive may be compressed
    files/test_inputs.py::test_archives
  An unknown suffix or a missing library is reported before anything is created.
    parts/test_foreign_files.py::test_nothing_is_created_for_an_impossible_request
    cli/test_outputs.py::test_a_suffix_of_no_format_is_refused
  A row does not wait for hard puzzles behind it for more than about a second
    tasks/test_slow.py::test_rows_are_written_before_the_last_puzzle_of_their_chunk_is_done
  A file that a command writes appears when it is complete.
    cli/test_outputs.py::test_what_ends_a_command_leaves_what_was_there
    cli/test_signals.py::test_a_signal_ends_a_command_and_keeps_what_is_done
  What an unfinished run has done is not lost.
    cli/test_signals.py::test_a_signal_ends_a_command_and_keeps_what_is_done
  keep their types between JSON, Parquet and Arrow
    files/test_rows.py::test_values_keep_their_types_in_every_pair_of_formats
  A record that is no puzzle is a row like any other in tables
    files/test_rows.py::test_rows_that_are_no_puzzles_keep_place_and_columns
  a larger number becomes 2⁶⁴ − 1 with `complete` false
    files/test_formats.py::test_a_count_beyond_64_bits_is_a_lower_bound
  `unidoku count` prints it exactly.
    cli/test_solve.py::test_counts_of_more_than_64_bits_are_exact_in_the_rows_of_count
  Their offsets, indices and run ends are checked before anything is computed on them
    files/test_arrowfile.py::test_damaged_buffers_are_refused
    test_arrow.py::test_damaged_columns_are_refused
  So a puzzle repeated a million times is read, however small it is when compressed.
    files/test_bounds.py::test_a_million_times_the_same_puzzle
  A zip archive whose members share bytes is refused.
    files/test_inputs.py::test_overlapping_members_are_refused
  the summary keeps the first 20 errors and counts all
    run/test_failures.py::test_the_first_errors_are_kept_and_all_are_counted
docs/scaling.md
  a line belongs to the range in which it begins
    parts/test_ranges.py::test_every_line_belongs_to_the_range_of_its_first_byte
  What comes with the rows is less than 20 MB for a million of them
    files/test_bounds.py::test_what_a_parquet_output_takes_beyond_pyarrow
  consecutive row groups of Parquet
    parts/test_ranges.py::test_row_groups_are_ranges
  a part without a valid record, or with another CRC-32, is made again
    parts/test_resume.py::test_a_part_that_was_changed_is_made_again
    parts/test_resume.py::test_a_forged_record_is_made_again
  each of its parts stays until the new one replaces it
    parts/test_resume.py::test_a_finished_folder_that_is_made_again_keeps_its_parts
  files cannot be made in parts
    craft/test_parts.py::test_what_cannot_be_made_in_parts
  full disk, no permission
    parts/test_killed.py::test_the_command_on_a_full_disk
    parts/test_resume.py::test_errors_of_writing_end_the_run_and_those_of_reading_do_not
  an input vanishes, the network fails
    parts/test_resume.py::test_an_input_that_vanishes_fails_alone
    parts/test_resume.py::test_a_store_that_fails_for_a_time
  an input is missing, truncated or damaged
    parts/test_resume.py::test_a_missing_input_is_reported_and_the_others_are_kept
    parts/test_resume.py::test_the_damage_of_an_input_is_reported_after_a_restart_too
  If no part is done, no files remain.
    parts/test_killed.py::test_the_command_on_a_full_disk
  a folder of parts that holds anything else
    parts/test_foreign_files.py::test_a_folder_with_files_of_others
    parts/test_foreign_files.py::test_a_finished_folder_of_another_input
  an output whose format needs a library that is not installed
    files/test_formats.py::test_a_missing_library_is_found_before_anything_is_created
    parts/test_foreign_files.py::test_nothing_is_created_for_an_impossible_request
  `tls://`) uses the workers of a scheduler
    parts/test_cluster.py::test_the_command_on_a_running_cluster
    parts/test_cluster.py::test_tls_without_certificates_is_a_clear_error
  The same inputs and options give the same rows in every way of running
    parts/test_resume.py::test_parts_are_the_whole
    parts/test_resume.py::test_stopped_and_resumed
    run/test_check_file.py::test_output_does_not_depend_on_threads_or_cuts
  if such a field comes later, the run reports it
    parts/test_csv.py::test_quotes_later_over_line_ends_are_refused
  if the two differ, it ends with an error that names the first difference
    parts/test_resume.py::test_other_options_or_another_input_are_refused
  Line numbers are those of the input file
    parts/test_resume.py::test_line_numbers_are_those_of_the_file
  every reader of Parquet data sets reads it
    parts/test_tables.py::test_polars_and_duckdb_read_the_folder
  exit code 130, 143, 129; the parts; `--resume` continues
    cli/test_signals.py::test_a_run_in_parts_ends_in_good_order
  SIGKILL, power loss | the parts; `--resume` continues
    parts/test_killed.py::test_killed_at_random_moments
    parts/test_faults.py::test_a_run_survives
  an input grows or changes | exit code 2, the file is named
    parts/test_resume.py::test_an_input_that_changes_is_named
  an output that another run is writing
    parts/test_resume.py::test_two_runs_of_one_output
  an output that is one of the inputs
    files/test_overlap.py::test_an_input_given_by_another_name
  SIGKILL and power loss leave them; the next run of the same output removes them, and no others.
    files/test_storage.py::test_a_killed_writers_file_is_taken_over
    parts/test_foreign_files.py::test_temporary_files_of_others
  Each range is one task, which Dask tries three times
    parts/test_cluster.py::test_a_worker_killed_in_mid_run_loses_nothing
docs/embedding.md
  is lazy
    test_single.py::test_solutions_come_lazily_and_in_the_order_of_solve
  pydantic writes the word of the verdict, and a grid as a line of 81 cells
    test_grid.py::test_pydantic_reads_and_writes_answers
  they raise `SearchStoppedError`, whose `count` is the number of solutions found so far
    test_single.py::test_a_budget_that_ends_a_search_is_reported
    test_single.py::test_cancel_ends_every_single_call
  With `limit=1` the verdict of a puzzle that has a solution is `unknown`
    test_single.py::test_a_limit_of_one_does_not_search_for_a_second_solution
  Arrow columns of strings, bytes or lists of cells in any layout: views, dictionaries, runs, chunks
    test_arrow.py::test_every_kind_of_column
    test_batch.py::test_every_form_of_rows
  Strings of Arrow are read in place
    test_arrow.py::test_column_is_not_copied
  A missing puzzle (None, NaN, pandas' `NA`, a null of Arrow) is such a row
    test_many.py::test_a_missing_puzzle_is_a_row_without_a_result
  Arrays of floating-point numbers are refused
    test_many.py::test_the_error_for_floating_point_numbers_says_what_to_do
  gets the verdict `invalid` and an entry in `result.reasons`; the other rows are not affected
    test_batch.py::test_one_bad_row_does_not_fail_the_batch
  All are `unidoku.UnidokuError`, a `ValueError`
    test_arguments.py::test_every_wrong_argument_is_an_error_of_unidoku
  return partial results, marked as not complete
    test_batch.py::test_cancel_ends_a_batch
    test_single.py::test_cancel_ends_every_single_call
  `check_file` then keeps the results so far in a file `PATH.partial`
    run/test_check_file.py::test_cancel_leaves_a_usable_part
  the answer is an object too
    test_json.py::test_an_encoder_of_json_takes_every_result_of_one_puzzle
  JSON writes these as lists, and `row._asdict()` as objects
    test_json.py::test_an_encoder_of_json_takes_every_result_of_one_puzzle
  is refused before it is read.
    test_single.py::test_a_long_text_is_refused_before_it_is_read
  the same puzzle gets the same answer on every machine
    examples/test_service.py::test_the_budget_makes_unknown_the_same_every_time
  All functions may be called from any number of threads at once
    native/test_lanes.py::test_many_threads_at_once
  Results and errors can be pickled, and `fork`, `spawn` and `forkserver` all work
    test_workers.py::test_other_processes_work_while_threads_do
    test_package.py::test_results_can_be_pickled
    tasks/test_own.py::test_the_rows_of_a_result_are_records_of_one_class
  `import unidoku` imports nothing else.
    test_package.py::test_import_loads_nothing_heavy
  Ctrl-C ends every function within a tenth of a second
    test_interrupts.py::test_work_ends
  a second Ctrl-C does not wait for the work in hand
    test_interrupts.py::test_a_second_ctrl_c_ends_at_once
  A thread does not end when the task that waits for it is cancelled
    test_single.py::test_the_asyncio_recipe_ends_its_thread
docs/learning.md
  An answer may be anything, and no answer raises an error
    run/test_verify.py::test_an_answer_never_raises
  The score is 1 for a solution and for nothing else
    craft/test_verify.py::test_several_solutions_are_compared_with_the_best_one
    craft/test_verify.py::test_shares_of_cells_and_clues
  The same seeds and the same version of unidoku give the same bytes
    examples/test_learning.py::test_the_data_set_of_the_page_is_the_same_for_any_number_of_threads
  `split` puts whole classes of images into one file
    craft/test_split.py::test_classes_stay_together
  Ratings are left out, because an image may have others
    tasks/test_images.py::test_every_column_of_a_rating_is_left_out
  each number includes the one before it, except that
    run/test_audit.py::test_mixtures_are_found_as_by_the_model
  The exit code is 0 if nothing was found, 1 if anything was
    run/test_audit.py::test_the_command
  the memory holds 41 bytes for each puzzle
    run/test_audit.py::test_memory_is_at_most_48_bytes_a_puzzle
  exactly this number, `tdoku`, for any puzzle
    tasks/test_guesses.py::test_the_numbers_of_tdoku
  `--images N` searches N random images, the same transformations for all puzzles
    tasks/test_guesses.py::test_mean_and_spread_are_those_of_the_images
"""
# advice, definitions or figures, which no test can check
NO_PROMISE = {
    "SECURITY.md": {
        "A crash, a hang or unbounded memory from a file is a vulnerability.",
        "See `examples/service/`.",
    },
    "docs/files.md": {"Formats", "Speed"},
    "docs/scaling.md": {"Measured: ten million lines; estimated: ten billion"},
    "docs/learning.md": set(),
    "docs/embedding.md": {
        "`examples/service/` is a small ASGI service with size limits and a budget per request."
    },
}


@cache
def promises():
    """The tests of each promise, by page."""
    found = {}
    for line in PROMISES.strip().splitlines():
        depth, text = line.count("  ", 0, 4), line.strip()
        if depth == 0:
            page = found[text] = {}
        elif depth == 1:
            tests = page[text] = []
        else:
            tests.append(text)
    return found


CASES = [(page, promise) for page, each in promises().items() for promise in each]


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
    assert promises()[page][promise]
    for node in promises()[page][promise]:
        file, _, name = node.partition("::")
        assert name in names_of(file), node


def units(page):
    """The pieces of a page that each make a promise: name and text.

    They are the sentences of SECURITY.md about what a user may rely on, the paragraphs of the page on
    embedding (its code is run by the tests of the docs), and the sections of the others.
    """
    text = (ROOT / page).read_text(encoding="utf-8")
    if page == "SECURITY.md":
        section = text.partition("## What you may rely on\n")[2].partition("\n## ")[0]
        sentences = re.split(r"(?<=\.)\s+(?=[A-Z])|\n- ", section.strip("\n- "))
        return [(" ".join(each.split()),) * 2 for each in sentences]
    if page == "docs/embedding.md":
        without_code = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        return [(" ".join(each.split()),) * 2 for each in without_code.split("\n\n")[1:] if each.strip()]
    sections = [each.partition("\n") for each in text.split("\n## ")[1:]]
    return [(name, " ".join(section.split())) for name, _, section in sections]


@pytest.mark.parametrize("page", promises())
def test_every_part_of_a_page_has_a_promise(page):
    for name, text in units(page):
        if name not in NO_PROMISE[page]:
            assert any(promise in text for promise in promises()[page]), name


@pytest.mark.parametrize("page", NO_PROMISE)
def test_a_part_without_a_promise_exists(page):
    assert NO_PROMISE[page] <= {name for name, _ in units(page)}
