"""Images of records and traces under the symmetry group."""

import pytest
from fuzzing import examples
from hypothesis import given, strategies as st

from unidoku import Transformation, method
from unidoku.craft.images import record_image, trace_image
from unidoku.craft.transform import GROUP_ORDER
from unidoku.method.report import report
from unidoku.stepper import Session
from unidoku.stepper.events import SolutionFound, StateShown

PUZZLES = {
    "proper": method.WORKED_PUZZLE,
    "class 4": ".................1.....2.34.....56....7....8..8..1.7.....8.....3..6.....9.5.....3",
    "several": "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....4.9..5....8....",
    "none": "12345678." + "." * 9 + "........9" + "." * 54,
}

elements = st.integers(0, GROUP_ORDER - 1).map(Transformation.from_index)


@pytest.mark.parametrize("kind", PUZZLES)
@examples(12)
@given(t=elements)
def test_the_image_of_a_record_is_justified(kind, t):
    puzzle = PUZZLES[kind]
    record = method.explain(puzzle)
    image = record_image(record, t)
    assert image.puzzle == t(puzzle)
    assert len(image.events) == len(record.events)
    result = method.check(image.puzzle, image.events)
    assert (image.outcome, image.difficulty, image.presets) == (
        record.outcome,
        record.difficulty,
        record.presets,
    )
    assert (image.conversions, image.zeroings) == (record.conversions, record.zeroings)
    if record.solution is not None:
        assert image.solution.line == result == t(record.solution).line
    # the image of a state is the state of the image
    for number in (0, len(record.events) // 2, len(record.events)):
        source, moved = record.state(number), image.state(number)
        for cell in range(81):
            there = t.cell(cell)
            assert moved.NA[there] == t.digit(int(source.NA[cell]))
            assert moved.MMK[there] == source.MMK[cell]
            assert set(moved.components(there + 1)) == {t.digit(d) for d in source.components(cell + 1)}


@given(t=elements, u=elements)
@examples(10)
def test_images_compose_and_invert(t, u):
    record = method.explain(method.WORKED_PUZZLE)
    there = record_image(record_image(record, u), t)
    assert there.events == record_image(record, t @ u).events
    assert record_image(there, (t @ u).inverse()).events == record.events
    events = list(Session(method.WORKED_PUZZLE).stream())
    assert trace_image(trace_image(events, u), t) == trace_image(events, t @ u)
    assert trace_image(trace_image(events, t), t.inverse()) == events


def test_a_report_of_an_image_names_its_cells():
    record = record_image(method.explain(method.WORKED_PUZZLE), Transformation.transposition())
    text = "\n".join(line.text for line in report(record, short=True))
    assert "1. cell 10 = 6 ⊙J: the only place for 6 in column 1" in text
    assert "Extended zeroing XG7 in band 3: in box 7" in text
    assert "columns, rows, boxes" in "\n".join(line.text for line in report(record))


@examples(10)
@given(t=elements)
def test_the_image_of_a_trace_leads_to_the_image_of_the_solution(t):
    puzzle = PUZZLES["class 4"]
    session = Session(puzzle)
    events = list(session.stream())
    moved = trace_image(events, t)
    assert [type(event) for event in moved] == [type(event) for event in events]
    assert [event.step for event in moved] == [event.step for event in events]
    found = [event.grid for event in moved if isinstance(event, SolutionFound)]
    assert found == [t(event.grid).line for event in events if isinstance(event, SolutionFound)]
    for event, source in zip(moved, events, strict=True):
        if isinstance(event, StateShown):
            assert event.grid == t(source.grid).line
            where = {each.cell.number: each.digits for each in event.candidates}
            assert list(where) == sorted(where)
            for each in source.candidates:
                there = t.cell(each.cell.number - 1) + 1
                assert where[there] == tuple(sorted(t.digit(d) for d in each.digits))
