"""`jitlint graph`: draw the JIT calls of one file."""

from __future__ import annotations

import os
import stat
import sys
from argparse import Namespace
from collections.abc import Sequence

from jitlint.cli.inputs import configs_of
from jitlint.cli.output import standard_output
from jitlint.config.settings import Settings
from jitlint.errors import FileError, InternalError
from jitlint.files import textfile
from jitlint.files.search import reason
from jitlint.graph import dot, labels, mermaid
from jitlint.graph.analyses import Analysed, analyses
from jitlint.graph.build import MOST_CALLS, Choice, graph_from, graph_of, headings
from jitlint.graph.model import BlockGraph, Graph
from jitlint.report.printable import count, escape
from jitlint.syntax.source import Source

_STDIN = "<stdin>"


def run(args: Namespace) -> int:
    """Draw what the options ask for; gives the exit status, 2 where a part of the file cannot be read.

    Raises JitlintError, in words for the user, where nothing can be drawn at all.
    """
    configs = configs_of(args)
    source = source_of(args.file)
    folder = os.getcwd() if args.file == "-" else os.path.dirname(os.path.abspath(args.file))
    settings = configs.of(folder) or Settings()
    modules = analyses(source.text, settings.options)
    if args.list:
        _write(_table(headings(modules, source)), args.output)
        return _problems(modules, source)
    most = args.limit or MOST_CALLS
    graph = graph_from(modules, source, Choice(args.block, args.line, most))
    if args.html:
        _write(_page(source, graph, settings.for_file(args.file), args), args.output)
    else:
        _write(_drawn(graph, args.format), args.output)
    _say(left_out(graph))
    return _problems(modules, source)


def left_out(graph: Graph) -> str:
    """What a picture does not show, and how to see it; empty where it shows all."""
    if not graph.calls:
        return "no JIT call to draw"
    if not graph.left_out:
        return ""
    return (
        f"{graph.left_out:,} of {count(graph.calls, 'JIT call')} are not drawn: --limit N draws more, --line N what "
        "belongs to a line, --block N one block of those that --list shows"
    )


def source_of(path: str) -> Source:
    """The text of a file, or of standard input for `-`. Raises FileError where it cannot be read."""
    given = textfile.standard_input() if path == "-" else None
    try:
        if given is not None:
            return Source(textfile.decode(given).text, _STDIN)
        with open(path, "rb") as file:
            if stat.S_ISCHR(os.fstat(file.fileno()).st_mode):  # `/dev/zero` has no end; a pipe (`<(…)`) has
                raise FileError("this is a device, not a file; `-` reads standard input")
            return Source(textfile.decode(file.read()).text, path)
    except OSError as error:
        raise FileError(f"{escape(path)}: {reason(error)}") from error
    except FileError as error:
        raise FileError(f"{escape(path)}: {error}") from error


def _drawn(graph: Graph, form: str) -> str:
    if form == "dot":
        return dot.render(graph)
    if form == "svg":
        from jitlint.graph import svg

        return svg.render(graph)
    return mermaid.render(graph)


def _page(source: Source, graph: Graph, settings: Settings, args: Namespace) -> str:
    from jitlint.checker import Checker
    from jitlint.graph.page import Page, render

    checker = Checker(settings)
    checked = checker.check(source.text, source.path)
    remark = _sentence(left_out(graph)) if graph.calls else None
    try:
        fixed = checker.fix(source.text, source.path)
    except InternalError as error:
        return render(Page(checked, graph, remark=_sentence(f"the fix failed, so it is not shown: {error}")))
    # Its blocks are those of the text before, in the same order; lines have moved.
    choice = Choice(args.block, None, args.limit or MOST_CALLS)
    after = graph_of(fixed.source, settings.options, choice) if fixed.changed else None
    return render(Page(checked, graph, fixed, after, remark))


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _table(blocks: Sequence[BlockGraph]) -> str:
    """The blocks with JIT calls: number, lines, calls, groups, and where they are."""
    rows = [("block", "lines", "calls", "groups", "where")]
    for block in blocks:
        first, last = block.lines
        title = labels.cut(block.title, 60)
        rows.append((str(block.number), f"{first}-{last}", f"{block.calls:,}", f"{block.groups:,}", title))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = ([*(cell.rjust(width) for cell, width in zip(row, widths, strict=False)), row[4]] for row in rows)
    return "".join("  ".join(line) + "\n" for line in lines)


def _write(text: str, path: str | None) -> None:
    if path is None:
        output = standard_output()
        output.write(text)
        output.flush()
        return
    textfile.write(path, text)


def _say(text: str) -> None:
    if text:
        print(f"jitlint: {text}", file=sys.stderr)


def _problems(modules: Sequence[Analysed], source: Source) -> int:
    """Say which parts could not be read; 2 if there are any."""
    problems = [module.problem for module in modules if module.problem is not None]
    for problem in problems:
        place = source.position(problem.offset)
        _say(f"error: {escape(source.path)}:{place.line}:{place.column}: {problem.message}")
    return 2 if problems else 0
