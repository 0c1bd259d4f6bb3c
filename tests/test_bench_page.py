"""The page of benchmark figures: tables, plot and the blocks of processors; nothing is timed."""

import sys
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest

BENCH = Path(__file__).resolve().parents[1] / "bench"


@pytest.fixture(scope="module")
def page():
    if not BENCH.is_dir():
        pytest.skip("the folder bench is not here")
    sys.path.insert(0, str(BENCH))
    try:
        return import_module("page")
    finally:
        sys.path.remove(str(BENCH))


@pytest.fixture
def figures(page):
    ours = {"17clue": 4_000_000.0, "top1465": 1_000_000.0}
    return {f"kernel {page.kernel.isa()}": ours, "<other>": {"17clue": 250_000.0}, "slow": {"top1465": 6.5}}


def test_speeds_and_ratios(page, figures):
    *_, other, slow = page.speed_table(figures).splitlines()
    assert other == "| <other> | 250 (16.0) |  |"
    assert slow == "| slow |  | 0.00650 (154,000) |"


def test_plot_is_svg_with_a_bar_for_every_figure(page, figures):
    root = ElementTree.fromstring(page.plot(figures, "A & B"))
    bars = [node for node in root.iter("{http://www.w3.org/2000/svg}rect") if node.get("x")]
    assert len(bars) == 4
    widths = [float(bar.get("width")) for bar in bars]
    assert widths == sorted(widths[:2], reverse=True) + sorted(widths[2:], reverse=True)
    assert min(widths) > 0


def test_only_the_block_of_this_processor_is_replaced(page):
    old = "top\n<!-- figures: A -->\n\n1\n\n<!-- end of figures -->\n\nbottom\n"
    both = page.replaced(old, "B", "2")
    assert both.index("figures: B") < both.index("figures: A") < both.index("bottom")
    assert page.replaced(both, "B", "2") == both
    third = page.replaced(both, "A", r"\1 new")
    assert r"\1 new" in third
    assert "\n2\n" in third
    assert third.count("end of figures") == 2
