"""The gallery: one of each thing that a person gets, in a folder that a person looks at before a release.

Tests put there what they look at, if UNIDOKU_GALLERY names the folder; ``python tests/helpers/gallery.py
FOLDER`` writes its index.html (``just gallery`` does both).
"""

from __future__ import annotations

import html
import os
import shutil
import sys
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ["UNIDOKU_GALLERY"]).absolute() if "UNIDOKU_GALLERY" in os.environ else None
PAGE = """<!DOCTYPE html>
<meta charset="utf-8"><title>unidoku: what a person gets</title>
<style>
body { font-family: sans-serif; margin: 1rem }
section { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; border-top: 1px solid }
h2 { width: 100%; margin: 0.5rem 0 0 }
figure { margin: 0 }
img { max-width: 45vw; max-height: 95vh; border: 1px solid #ccc }
pre { margin: 0; font-size: 0.8rem }
embed { width: 32rem; height: 44rem }
</style>
"""


def keep(name: str, content: bytes | str) -> None:
    """Put a file into the gallery, if there is one; before a dash of its name is its group."""
    if FOLDER is not None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_bytes(content.encode() if isinstance(content, str) else content)


def corner_of(page: Any) -> tuple[float, float, float]:
    """Return the left and top of the board of a page of PDFium and its size, by the paths of its lines."""
    boxes = [each.get_bounds() for each in page.get_objects() if each.type == 2]
    left, _, right, top = min(boxes, key=lambda box: box[2] - box[0] if box[2] - box[0] > 100 else 1e9)
    return left, top, right - left


def shown(path: Path) -> str:
    """Return a file as HTML: a picture, text, or a link to it."""
    name = html.escape(path.name)
    caption = f'<figcaption><a href="{name}">{name}</a></figcaption>'
    match path.suffix:
        case ".png" | ".svg":
            caption += f'<img src="{name}">'
        case ".pdf":
            caption += f'<embed src="{name}" type="application/pdf">'
        case ".txt":
            caption += f"<pre>{html.escape(path.read_text(encoding='utf-8'))}</pre>"
        case ".ansi":
            console = Console(file=StringIO(), record=True, width=80)
            console.print(Text.from_ansi(path.read_text(encoding="utf-8")))
            caption += console.export_html(inline_styles=True, code_format="<pre>{code}</pre>")
    return f"<figure>{caption}</figure>\n"


def write_index(folder: Path) -> None:
    """Write the page that shows the files of the gallery side by side, and the schemas of Parquet files."""
    shutil.copy(ROOT / "tests" / "cli" / "schemas.txt", folder / "parquet-schemas.txt")
    paths = sorted(path for path in folder.iterdir() if path.name != "index.html")
    text = PAGE
    for group, files in groupby(paths, lambda path: path.stem.partition("-")[0]):
        text += f"<section><h2>{group}</h2>\n{''.join(map(shown, files))}</section>\n"
    (folder / "index.html").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_index(Path(sys.argv[1]))
