"""A browser for the pages: the system's Chromium, driven by Playwright; skipped where either is absent."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

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
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium")
    with api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens an HTML text as a page; the test fails when the page has reported an error."""
    errors: list[str] = []
    contexts = []

    def open_text(text: str, *, width: int = 1000, height: int = 800, dark: bool = False) -> Any:
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "request", lambda request: errors.append(request.url) if "page.html" not in request.url else None
        )
        page.goto(file.as_uri())
        return page

    yield open_text
    for context in contexts:
        context.close()
    assert errors == []
