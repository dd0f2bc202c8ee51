"""The page in a real browser, which nobody sees: what it makes of the page, and that it is painted light and dark."""

from __future__ import annotations

import subprocess
import zlib
from pathlib import Path

import pytest

from jitlint.cli import run
from tests.graph.pictures import case, hostile
from tests.graph.test_page import Reader

WIDTH, HEIGHT = 1280, 1600
LIGHT, DARK = (0xF6, 0xF7, 0xF9), (0x0F, 0x12, 0x16)


def chromium(profile: Path, page: Path, *options: str) -> str:
    done = subprocess.run(
        [
            "chromium",
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            f"--user-data-dir={profile}",
            f"--window-size={WIDTH},{HEIGHT}",
            *options,
            page.as_uri(),
        ],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    return done.stdout


@pytest.fixture
def page(tmp_path: Path) -> Path:
    source, target = tmp_path / "parts.mlir", tmp_path / "page.html"
    source.write_text(case("part_of_a_component"), encoding="utf-8")
    assert run(["graph", str(source), "--html", "--output", str(target)]) == 0
    return target


def pixels(png: bytes) -> tuple[int, int, list[bytes]]:
    """The width, the height and the rows of a picture with 8 bits a channel, as a browser writes it; RGB, no alpha."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, data, size, channels = 8, b"", (0, 0), 0
    while at < len(png):
        length, kind = int.from_bytes(png[at : at + 4], "big"), png[at + 4 : at + 8]
        body = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            size = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
            channels = {2: 3, 6: 4}[body[9]]
        elif kind == b"IDAT":
            data += body
        at += 12 + length
    raw, stride = zlib.decompress(data), size[0] * channels
    rows, above = [], bytes(stride)
    for start in range(0, len(raw), stride + 1):
        above = _row(raw[start], raw[start + 1 : start + 1 + stride], above, channels)
        rows.append(b"".join(above[place : place + 3] for place in range(0, stride, channels)))
    return *size, rows


def _row(kind: int, row: bytes, above: bytes, channels: int) -> bytes:
    """Undo the filter of one row."""
    if kind == 0:
        return row
    if kind == 2:
        return bytes((one + two) & 255 for one, two in zip(row, above, strict=True))
    done = bytearray(row)
    for place, value in enumerate(row):
        left = done[place - channels] if place >= channels else 0
        corner = above[place - channels] if place >= channels else 0
        done[place] = (value + _guess(kind, left, above[place], corner)) & 255
    return bytes(done)


def _guess(kind: int, left: int, up: int, corner: int) -> int:
    if kind == 1:
        return left
    if kind == 3:
        return (left + up) // 2
    return min((left, up, corner), key=lambda each: abs(left + up - corner - each))


def colours(rows: list[bytes]) -> set[tuple[int, ...]]:
    return {tuple(row[place : place + 3]) for row in rows for place in range(0, len(row), 3)}


@pytest.mark.parametrize(
    ("scheme", "paper", "group"),
    [("1", LIGHT, (0xDC, 0xF3, 0xE4)), ("0", DARK, (0x16, 0x35, 0x24))],
    ids=["light", "dark"],
)
def test_the_page_is_painted(
    page: Path, tmp_path: Path, scheme: str, paper: tuple[int, ...], group: tuple[int, ...]
) -> None:
    target = tmp_path / "screen.png"
    chromium(tmp_path / "profile", page, f"--screenshot={target}", f"--blink-settings=preferredColorScheme={scheme}")
    width, height, rows = pixels(target.read_bytes())
    assert (width, height) == (WIDTH, HEIGHT)
    assert tuple(rows[0][:3]) == paper
    found = colours(rows)
    assert len(found) > 200, "words and lines are drawn"
    assert group in found, "the fused calls of the picture after the fix"


def test_the_browser_finds_what_the_page_says(page: Path, tmp_path: Path) -> None:
    read = Reader(chromium(tmp_path / "profile", page, "--dump-dom"))
    assert not read.open
    assert read.tags.count("svg") == 2
    assert len(read.texts["node call"]) == 4
    assert len(read.texts["node fused"]) == 2
    assert len(read.texts["node step"]) == 2
    assert len(read.texts["cluster group"]) == 2
    assert len(read.texts["card warning"]) == 2
    assert len(read.texts["card info"]) == 1
    assert len(read.texts["row"]) == case("part_of_a_component").count("\n")


def test_the_browser_reads_a_hostile_file_as_text(tmp_path: Path) -> None:
    source, target = tmp_path / "evil.mlir", tmp_path / "page.html"
    source.write_text(hostile(), encoding="utf-8")
    assert run(["graph", str(source), "--html", "--output", str(target)]) == 0
    read = Reader(chromium(tmp_path / "profile", target, "--dump-dom"))
    assert not read.open
    assert any("<b>|x|" in text for text in read.texts["row"])
