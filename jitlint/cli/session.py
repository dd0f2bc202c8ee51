"""One run of `jitlint check` over files: from what was found to reports and an exit status."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING

from jitlint.cli.check_options import CheckOptions, in_force
from jitlint.cli.fixes import Fixes
from jitlint.cli.output import reports, standard_error, standard_output, targets
from jitlint.cli.progress import Progress
from jitlint.cli.work import Mode, Outcome, Task, work
from jitlint.config.discovery import Configs
from jitlint.config.selection import FAILURES
from jitlint.config.settings import Settings
from jitlint.errors import UsageError
from jitlint.files import textfile
from jitlint.files.search import Found
from jitlint.files.signals import ended_in_order
from jitlint.findings import Severity
from jitlint.report import Report, Summary, Tally
from jitlint.report.lookup import severity_of
from jitlint.report.printable import count
from jitlint.report.run_summary import closing
from jitlint.report.theme import theme
from jitlint.report.together import together
from jitlint.result import Result

if TYPE_CHECKING:
    from jitlint.suppress.baseline import Baseline, Recorder

_FOR_PEOPLE = (("full", None), ("concise", None))
"""The formats that a person reads, where they go to the stream."""
WORTH_WORKERS = 1_000_000
"""Bytes of files with JIT calls from which on other processes are started."""


class Session:
    """The state of a run: what is asked for, where output goes, what has been counted.

    What a program reads (a diff, a fixed text) takes standard output for itself; reports then go to standard error.
    `written` are the files that a fix has changed.
    """

    def __init__(self, args: CheckOptions, configs: Configs, takes_output: bool = False) -> None:
        self.args = args
        self.configs = configs
        self.mode = mode_of(args)
        self.output = standard_output()
        self.stream = standard_error() if takes_output or self.mode is Mode.DIFF else self.output
        self.options = in_force(args)
        self.paths = tuple(args.paths)
        self.recorder = self._recorder()
        wanted = targets(args.output_format or (), args.output_file)
        # The statistics take the place of what a person would read here, not of what a program reads.
        self._targets = [each for each in wanted if not (args.statistics and each in _FOR_PEOPLE)]
        self._tally = Tally()
        self._baselines: dict[str, Baseline] = {}
        self._failed = self._found = self._would_change = False
        self._suppressed = self._suppressed_files = 0
        self.written: set[str] = set()

    def run(self, found: Sequence[Found]) -> int:
        """Check or fix the files; gives the exit status."""
        tasks = [self.task(each.path, each.size, each.problem, each.has_call) for each in found]
        busy = sum(task.has_call for task in tasks)
        on_terminal = self.stream.is_terminal or self.output.is_terminal
        progress = Progress(busy, enabled=not self.args.no_progress and not self.args.quiet)
        with ended_in_order(), self.opened() as opened:
            for outcome in self._outcomes(tasks, progress):
                if on_terminal and (outcome.diff or outcome.result.findings or outcome.result.fixed):
                    progress.hide()
                self.take(outcome, opened)
                progress.advance()
                if self.output.closed and not self._leaves_traces():
                    break  # nobody is listening
            progress.hide()
            summary = self.close(opened)
        return self.status(summary)

    def _leaves_traces(self) -> bool:
        """Whether a run does anything but print."""
        to_files = any(file is not None for _, file in self._targets)
        return to_files or self.recorder is not None or self.mode in (Mode.FIX, Mode.ADD_IGNORES)

    def _outcomes(self, tasks: Sequence[Task], progress: Progress) -> Iterator[Outcome]:
        """The outcomes in order. Small works stay in this process: another costs more than it gives."""
        sizes = [task.size for task in tasks if task.has_call]
        jobs = min(self.args.jobs or cores(), len(sizes))
        if jobs > 1 and sum(sizes) >= WORTH_WORKERS:
            from jitlint.cli.pool import in_parallel

            yield from in_parallel(tasks, jobs, progress.tick)
            return
        for task in tasks:
            yield work(task)

    def task(self, path: str, size: int = 0, problem: str | None = None, has_call: bool = True) -> Task:
        """The task for one file, under the settings that are in force for it."""
        if not has_call and problem is None:
            return Task(path, has_call=False)
        settings = self.configs.of(os.path.dirname(os.path.abspath(path))) or Settings()
        return Task(path, settings.for_file(path), self.mode, self._known(settings, path), size, problem, has_call)

    def _known(self, settings: Settings, path: str) -> Mapping[str, int]:
        """What the baseline in force hides in a file."""
        if settings.baseline is None or self.recorder is not None:
            return {}
        if settings.baseline not in self._baselines:
            from jitlint.suppress.baseline import load

            self._baselines[settings.baseline] = load(settings.baseline)
        return self._baselines[settings.baseline].known(path)

    def _recorder(self) -> Recorder | None:
        if not self.args.write_baseline:
            return None
        settings = self.configs.of(os.getcwd())
        if settings is None or settings.baseline is None:
            raise UsageError(
                "`--write-baseline` needs a file: give `--baseline FILE`, or set `baseline` in the configuration"
            )
        from jitlint.suppress.baseline import Recorder

        return Recorder(settings.baseline)

    def opened(self) -> AbstractContextManager[list[Report]]:
        """The reports that are asked for."""
        quiet = max(self.args.quiet, int(self.recorder is not None))
        return reports(
            self._targets,
            self.stream,
            self.args.color,
            quiet=quiet,
            dry_run=self.mode is Mode.DIFF,
            fixes=Fixes(self.configs),
            pictures=partial(_pictures, self.configs),
            options=self.options,
            paths=self.paths,
        )

    def take(self, outcome: Outcome, opened: Sequence[Report]) -> None:
        """Count and report what came of one file."""
        result = outcome.result
        self._failed |= any(finding.code in FAILURES for finding in result.findings)
        self._found |= any(severity_of(finding) is not Severity.INFO for finding in result.findings)
        self._would_change |= bool(outcome.diff)
        if self.mode is Mode.FIX and result.changed:
            self.written.add(outcome.path)
        self._suppressed += outcome.suppressed
        self._suppressed_files += outcome.suppressed > 0
        if self.recorder is not None:
            self.recorder.add(outcome.path, result.source, result.findings)
            result = result._replace(findings=tuple(each for each in result.findings if each.code in FAILURES))
        result = together(result)
        self._tally.add(result)
        if outcome.diff:
            self._write_diff(outcome.diff)
        for report in opened:
            report.file(outcome.path, result)

    def _write_diff(self, lines: Sequence[str]) -> None:
        from jitlint.report.diff import paint

        look = self.output.look(self.args.color)
        for line in paint(lines, theme(True)) if look.color else lines:
            self.output.write(line)

    def close(self, opened: Sequence[Report]) -> Summary:
        """End the reports, and say what is not a finding."""
        summary = self._tally.summary()
        if self.recorder is not None:
            self._write_baseline(self.recorder)
        elif self.args.statistics and self.args.quiet < 2:
            self._write_statistics(summary)
        for report in opened:
            report.close(summary)
        if self.mode is Mode.ADD_IGNORES and not self.args.quiet:
            hidden, where = count(self._suppressed, "finding"), count(self._suppressed_files, "file")
            self.stream.write(f"Suppressed {hidden} in {where}.\n")
        self.stream.flush()
        self.output.flush()
        return summary

    def _write_statistics(self, summary: Summary) -> None:
        """On standard error where standard output is for a format that a program reads."""
        from jitlint.report.statistics import write_statistics

        taken = any(file is None for _, file in self._targets)
        stream = standard_error() if taken else self.stream
        write_statistics(summary, stream.write, stream.look(self.args.color))
        if not self.args.quiet:
            stream.write(closing(summary, self.mode is Mode.DIFF, self.options, self.paths))
        stream.flush()

    def _write_baseline(self, recorder: Recorder) -> None:
        textfile.write(recorder.path, recorder.text())
        if not self.args.quiet:
            self.stream.write(f"Wrote {count(recorder.count, 'finding')} to {recorder.path}.\n")

    def status(self, summary: Summary) -> int:
        """0 for nothing above info, 1 for findings, 2 where jitlint could not do its job."""
        if self._failed:
            return 2
        if self.recorder is not None:
            return 0
        fixed = bool(summary.fused_groups or summary.other_fixes)
        if self.mode is Mode.DIFF:
            bad = self._would_change or self._found
        else:
            bad = self._found or (fixed and self.args.exit_non_zero_on_fix)
        return int(bad and not self.args.exit_zero)


def _pictures(configs: Configs, result: Result) -> str:
    """The pictures of one file. What draws them is loaded for the first file that has any."""
    from jitlint.graph.job_summary import pictures

    return pictures(configs, result)


def cores() -> int:
    """How many processes this one may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def mode_of(args: CheckOptions) -> Mode:
    """What the options ask to be done; `--diff` is a fix that is not written."""
    if args.diff:
        return Mode.DIFF
    if args.add_ignores:
        return Mode.ADD_IGNORES
    return Mode.FIX if args.fix else Mode.CHECK
