"""A real browser, which nobody sees."""

from __future__ import annotations

import html
import json
import re
import subprocess
import zlib
from collections.abc import Sequence
from pathlib import Path

WIDTH, HEIGHT = 1280, 1600


def chromium(profile: Path, page: Path, *options: str) -> str:
    """Open a page without a network, let its scripts come to an end, and give what is printed."""
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
            # There is no network, and a page may look into another one that it holds, so that it can be measured.
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--disable-web-security",
            "--allow-file-access-from-files",
            "--virtual-time-budget=30000",
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


def measured(folder: Path, pages: Sequence[tuple[Path, int]], script: str) -> list[object]:
    """What a script says of each page, shown as wide as that.

    It is the body of a function of `document`, which is asked again as long as it says null.
    """
    frames = "".join(
        f'<iframe src="{page.as_uri()}" style="width: {width}px; height: 3000px; border: 0"></iframe>\n'
        for page, width in pages
    )
    frame = folder / "frames.html"
    frame.write_text(
        f"""<!doctype html><title>waiting</title>{frames}<script>
const measure = (document) => {{ {script} }};
const tick = setInterval(() => {{
  const said = [...document.querySelectorAll("iframe")].map(each => measure(each.contentDocument));
  if (said.includes(null)) return;
  clearInterval(tick);
  document.title = JSON.stringify(said);
}}, 100);
</script>""",
        encoding="utf-8",
    )
    found = re.search("<title>(.*?)</title>", chromium(folder / "profile", frame, "--dump-dom"), re.DOTALL)
    assert found is not None
    said = json.loads(html.unescape(found[1]))
    assert isinstance(said, list)
    return said
