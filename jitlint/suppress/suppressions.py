"""`// jitlint: ignore[…]` and `// jitlint: ignore-file[…]`: what a text says not to report.

A comment on a line suppresses what starts on that line. A comment alone on its line suppresses what starts on the next
line that is no comment; a group of calls is hidden by a comment about any of its calls. `ignore-file` counts in the
comments at the top of the file. Codes, beginnings of codes and rule names may stand in the brackets; without brackets
everything is meant. Words after it are the reason. A comment that may be meant otherwise hides nothing: JIT703 says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jitlint import lazy
from jitlint.config.selection import FAILURES, known_rules, selector
from jitlint.findings import Finding, Span
from jitlint.syntax.lexer import comments
from jitlint.syntax.source import Source

MARK = "jitlint:"
UNUSED = "JIT703"
FUSABLE = "JIT001"

_COMMENT = lazy.pattern(r"//[ \t]*jitlint:[ \t]*(?P<word>[A-Za-z-]*)[ \t]*(?P<list>\[(?P<codes>[^\]\r\n]*)\])?")
_CODE = lazy.pattern(r"[^\s,]+")
_COMMENT_LINE = lazy.pattern(r"[ \t]*//[^\r\n]*\r?(?:\n|\Z)")
"""A line with nothing but a comment, its ending included; a lone carriage return ends a comment, so code may follow."""
_WORDS = ("ignore", "ignore-file")
_FOLLOWING = lazy.pattern(r"[\s:;,.=({<\"'`-]*(?P<word>[\w-]*)")
_CODE_LIKE = lazy.pattern(r"(?i:jit[a-z]?[0-9o]\w*)")
_ENDS_A_WORD = ":;,."


class Code(NamedTuple):
    """One word of a suppression's list, where it stands, and the rules it names; `problem` says why it names none."""

    text: str
    span: Span
    codes: frozenset[str]
    problem: str = ""


class Suppression(NamedTuple):
    """One comment. `codes` is None where it means every rule; `line` is the number of the line that it is about.

    `span` is the comment from its slashes to its end, `alone` whether nothing else is on its line. `named` are the
    rules that its list names, and `used` gathers the codes that it has hidden.
    """

    span: Span
    codes: list[Code] | None
    named: frozenset[str]
    line: int
    whole_file: bool
    alone: bool
    problem: str
    used: set[str]

    def hides(self, code: str) -> bool:
        """Whether findings of this rule are hidden, and takes note of it. A crash of jitlint is never hidden."""
        if self.problem or code == "JIT999":
            return False
        if self.codes is not None and not self.names(code):
            return False
        if self.codes is None and code in FAILURES:
            return False  # what keeps jitlint from its work is only hidden by name
        self.used.add(code)
        return True

    def names(self, code: str) -> bool:
        """Whether the list names this rule."""
        return not self.problem and code in self.named

    def uses(self, code: Code) -> bool:
        """Whether a word of the list has hidden something. About unused suppressions themselves it is not asked."""
        return bool(code.codes & self.used) or UNUSED in code.codes


class Suppressions:
    """The suppressions of one text."""

    def __init__(self, source: Source) -> None:
        self._source = source
        # A text without a slash has no comments, and is looked through for one character ten times as fast.
        self.all = list(_read(source)) if "/" in source.text and MARK in source.text else []
        self._lines: dict[int, list[Suppression]] = {}
        for each in self.all:
            if not each.whole_file:
                self._lines.setdefault(each.line, []).append(each)
        self._file = [each for each in self.all if each.whole_file]
        self._names_unused = any(each.names(UNUSED) for each in self._file)
        self._hidden_everywhere: dict[str, bool] = {}

    def hide(self, finding: Finding) -> bool:
        """Whether the text says not to report `finding`, and takes note of which comment does."""
        if not self.all:
            return False
        about: list[Suppression] = []
        for span in _places(finding) if self._lines else ():
            about += self._lines.get(self._source.position(span.start).line, ())
        # Every comment that hides it counts as used, so no short cut.
        here = [each for each in about if each.hides(finding.code)]
        return self._everywhere(finding.code) or bool(here)

    def _everywhere(self, code: str) -> bool:
        """Whether a rule is hidden in the whole file; each is asked about once."""
        hidden = self._hidden_everywhere.get(code)
        if hidden is None:
            hidden = self._hidden_everywhere[code] = bool([each for each in self._file if each.hides(code)])
        return hidden

    def unused(self) -> list[Finding]:
        """JIT703 for what has hidden nothing: call it when every finding has been shown to `hide`."""
        found = [finding for each in self.all for finding in _unused(each)]
        return [finding for finding in found if finding.span and not self._is_meant(finding.span)]

    def _is_meant(self, span: Span) -> bool:
        """Whether a comment says not to report unused suppressions here. One for all rules does not."""
        line = self._source.position(span.start).line
        return self._names_unused or any(each.names(UNUSED) for each in self._lines.get(line, ()))

    def removals(self) -> list[tuple[int, int, str]]:
        """The edits that take out what `unused` calls fixable, in text order."""
        text = self._source.text
        edits = (_removal(text, each) for each in self.all if not self._is_meant(each.span))
        return [edit for edit in edits if edit is not None]


def _places(finding: Finding) -> Sequence[Span]:
    """Where a comment may hide a finding: for a group that can be fused at each call, else where the finding stands and
    at the call that it is about."""
    if finding.code == FUSABLE and finding.group is not None:
        return [call.span for call in finding.group.calls]
    return [place for place in (finding.call, finding.span) if place is not None]


def _read(source: Source) -> Iterator[Suppression]:
    text = source.text
    header = _header_end(text)
    about = 0
    at = text.find(MARK)
    while at >= 0:
        line = text.rfind("\n", 0, at) + 1
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        for start, stop in comments(text, line, end):
            match = _COMMENT.search(text, start, stop)
            if match is not None:
                alone = not text[line : match.start()].strip()
                if alone and about <= line:  # else the lines from here to there are comments, as was found before
                    about = _next_code_line(text, line)
                number = source.position(about if alone else line).line
                yield _suppression(match, Span(match.start(), stop), number, alone, match.start() < header)
        at = text.find(MARK, end)


def _suppression(match: re.Match[str], span: Span, line: int, alone: bool, at_top: bool) -> Suppression:
    word = match["word"]
    whole_file = word == "ignore-file"
    problem = ""
    if word not in _WORDS:
        problem = f"unknown suppression `{word}`; write `ignore[…]` or `ignore-file[…]`"
    elif match["list"] is None and (malformed := _malformed(match, span.end)):
        problem = malformed
    elif whole_file and not at_top:
        problem = "`ignore-file` counts only in the comments at the top of the file"
    codes = _codes(match)
    named = frozenset(rule for code in codes or () for rule in code.codes)
    return Suppression(span, codes, named, line, whole_file, alone, problem, set())


def _malformed(match: re.Match[str], stop: int) -> str:
    """Why a comment without a list may be meant to have one, which would hide less than everything; or nothing."""
    text, word, end = match.string, match["word"], match.end()
    if text.startswith("[", end, stop):
        return f"its list has no closing bracket; write `{word}[…]`"
    following = _FOLLOWING.match(text, end, stop)
    if following is not None and _is_rule(following["word"]):
        return f"rules are given in square brackets; write `{word}[{following['word']}]`"
    next_to = text[match.end("word") : stop][:1]
    if next_to and not next_to.isspace() and next_to not in _ENDS_A_WORD:
        return f"write `{word}[…]` with rules in the brackets, or `{word}` followed by a space for every rule"
    return ""


def _is_rule(word: str) -> bool:
    """Whether a word looks like a rule's code or is a rule's name; a name of one word may as well be a reason."""
    return bool(_CODE_LIKE.fullmatch(word)) or ("-" in word and word.lower() in known_rules().values())


def _codes(match: re.Match[str]) -> list[Code] | None:
    if match["list"] is None:
        return None
    start = match.start("codes")
    codes = []
    for each in _CODE.finditer(match["codes"]):
        named, problem = frozenset[str](), ""
        try:
            named = selector(each.group()).codes
        except ValueError as error:
            problem = str(error)
        codes.append(Code(each.group(), Span(start + each.start(), start + each.end()), named, problem))
    return codes


def _unused(each: Suppression) -> Iterator[Finding]:
    if each.problem:
        yield Finding(UNUSED, f"this comment suppresses nothing: {each.problem}", each.span)
    elif not each.codes:
        if not each.used:
            why = "" if each.codes is None else ": its list is empty"
            yield Finding(UNUSED, f"this comment suppresses nothing{why}", each.span, fixable=True)
    else:
        for code in each.codes:
            if code.problem:
                yield Finding(UNUSED, f"this suppresses nothing: {code.problem}", code.span)
            elif not each.uses(code):
                yield Finding(
                    UNUSED, f"{code.text} is suppressed here, but there is no such finding", code.span, fixable=True
                )


def _removal(text: str, each: Suppression) -> tuple[int, int, str] | None:
    """The edit that takes out what is unused, None where nothing is or where only a person can tell what was meant."""
    kept = [code for code in each.codes or () if code.problem or each.uses(code)]
    if each.problem or (not each.codes and each.used) or (each.codes and len(kept) == len(each.codes)):
        return None
    if kept and each.codes:
        return each.codes[0].span.start, each.codes[-1].span.end, ", ".join(code.text for code in kept)
    start, end = each.span.start, each.span.end
    while text[start - 1 : start] in (" ", "\t"):
        start -= 1
    after = text.find("\n", end) + 1 or len(text)
    if each.alone and not text[end:after].strip():  # a lone carriage return ends a comment too: then code follows
        end = after
    return start, end, ""


def _header_end(text: str) -> int:
    """The end of the comments and blank lines that a file begins with."""
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        if not _COMMENT_LINE.match(text, at) and text[at:end].strip():
            break
        at = end + 1
    return at


def _next_code_line(text: str, line: int) -> int:
    """The start of the first line after `line` that is no comment."""
    while True:
        end = text.find("\n", line)
        if end < 0:
            return len(text)
        line = end + 1
        if not _COMMENT_LINE.match(text, line):
            return line
