"""A browser for the pages: the system's Chromium, driven by Playwright; skipped where either is absent."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

# The shell without windows takes a fifth less processor time.
PROGRAMS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")  # Playwright's event loop must not outlive its tests
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="no Playwright")
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("no Chromium")
    with api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def page(browser: Any) -> Any:
    """The one page of a module's tests: a new one for each test takes three times as long."""
    return browser.new_page()


@pytest.fixture
def open_page(page: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens an HTML text in the page; the test fails when it has reported an error or asked for a file."""
    errors: list[str] = []
    opened: set[str] = set()
    listeners = {
        "console": lambda message: errors.append(message.text) if message.type == "error" else None,
        "pageerror": lambda error: errors.append(str(error)),
        "request": lambda request: errors.append(request.url) if request.url not in opened else None,
    }

    def open_text(
        text: str, *, width: int = 1000, height: int = 800, dark: bool = False, fragment: str = "#read"
    ) -> Any:
        # A file of its own: another fragment alone would not open a page anew.
        file = tmp_path / f"page{len(opened)}.html"
        file.write_text(text, encoding="utf-8")
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(media="null", color_scheme="dark" if dark else "light")
        opened.add(file.as_uri())
        page.goto(file.as_uri() + fragment)
        return page

    for name, listener in listeners.items():
        page.on(name, listener)
    yield open_text
    page.mouse.move(0, 0)  # so that nothing is under the pointer on the next page
    page.evaluate("new Promise((done) => setTimeout(done))")  # its reports arrive before
    for name, listener in listeners.items():
        page.remove_listener(name, listener)
    assert errors == []
