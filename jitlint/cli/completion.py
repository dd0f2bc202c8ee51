"""Scripts that complete jitlint's command line in bash, zsh and fish, written from the parsers of its commands.

All that can be typed is in the script, so that a Tab starts no process. What is no option, value or command is left to
the shell, which completes files in its own way.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import NamedTuple, get_args

from jitlint.cli.arguments import FORMATS, PARSERS
from jitlint.cli.overview import SUMMARIES
from jitlint.options import Form, Grouping
from jitlint.rules import RULES

Words = tuple[tuple[str, str], ...]
"""Words, each with what a shell shows beside it."""


class Value(NamedTuple):
    """What can stand where an option or a command takes a value: some words, files, or both.

    `is_list` where it may be several words with commas between them.
    """

    words: Words = ()
    files: bool = False
    is_list: bool = False


class Option(NamedTuple):
    """An option in its spellings, and its value, None where it takes none."""

    spellings: tuple[str, ...]
    help: str
    value: Value | None


class Command(NamedTuple):
    """A command with its options and what its arguments can be."""

    name: str
    summary: str
    options: tuple[Option, ...]
    arguments: Value


def _plain(*words: str) -> Value:
    return Value(tuple((word, "") for word in words))


_CODES = tuple((code, rule.name) for code, rule in RULES.items())
SHELLS = ("bash", "zsh", "fish")
VALUES: dict[str, Value] = {
    "CODES": Value((*_CODES, ("ALL", "all rules")), is_list=True),
    "CODE": Value(_CODES),
    "FORM": _plain(*get_args(Form)),
    "HOW": _plain(*get_args(Grouping)),
    "FORMAT[=FILE]": _plain(*FORMATS),
    "WHEN": _plain("auto", "always", "never"),
    "SHELL": _plain(*SHELLS),
    "N": Value(),
    **dict.fromkeys(("PATH", "FILE", "FILE|KEY=VALUE", "NAME", "PATTERN", "BEFORE", "AFTER"), Value(files=True)),
}
"""What can stand for each word that the help has for a value."""


def commands() -> Iterator[Command]:
    """Every command; the first is `check`, whose options may stand without it."""
    for name, parser in PARSERS.items():
        actions = parser()._actions
        options = tuple(_option(action) for action in actions if action.option_strings)
        arguments = next((_value(action) for action in actions if not action.option_strings), None)
        yield Command(name, SUMMARIES[name], options, arguments or Value())


def _option(action: argparse.Action) -> Option:
    text = (action.help or "").replace("%%", "%")
    return Option(tuple(action.option_strings), text, None if action.nargs == 0 else _value(action))


def _value(action: argparse.Action) -> Value:
    if isinstance(action.metavar, str):
        return VALUES[action.metavar]
    return _plain(*map(str, action.choices)) if action.choices else Value(files=True)


def script(shell: str) -> str:
    """The script for a shell of `SHELLS`, to be read by that shell at its start."""
    return _SCRIPTS[shell](tuple(commands()))


_TOP = (("-h", "show help"), ("--help", "show help"), ("-V", "print the version"), ("--version", "print the version"))


def _quoted(text: str) -> str:
    """A text as bash, zsh and fish read it between single quotes."""
    return "'" + text.replace("'", "'\"'\"'") + "'"


def _spellings(command: Command) -> str:
    return " ".join(spelling for option in command.options for spelling in option.spellings)


def _by_value(all_commands: tuple[Command, ...]) -> dict[Value, list[str]]:
    """What takes each value: `command:--option`, or `command:` for the command's arguments."""
    takers: dict[Value, list[str]] = {}
    for command in all_commands:
        takers.setdefault(command.arguments, []).append(f"{command.name}:")
        for option in command.options:
            if option.value is not None:
                takers.setdefault(option.value, []).extend(f"{command.name}:{each}" for each in option.spellings)
    return takers


def _cases(all_commands: tuple[Command, ...], call: Callable[[Value], str]) -> str:
    """The arms of a shell's `case` over what takes a value."""
    takers = _by_value(all_commands)
    return "".join(f"    {'|'.join(takers[value])}) {call(value)} ;;\n" for value in takers)


_BASH = """\
# Completions of jitlint for bash: eval "$(jitlint completions bash)"
_jitlint_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_jitlint_list() {
  local before=
  case $cur in *,*) before=${cur%,*}, ;; esac
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "${cur##*,}"))
}
_jitlint_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY+=($(compgen -f -- "$cur"))
}
_jitlint_value() {
  case $1 in
@VALUES@    *) return 1 ;;
  esac
}
_jitlint() {
  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=check options index
  COMPREPLY=()
  # bash cuts a word at `=`; the option stands before that.
  if [ "$cur" = "=" ]; then cur=; elif [ "$before" = "=" ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
  if [ "$COMP_CWORD" -gt 1 ]; then
    case " @NAMES@ " in *" ${COMP_WORDS[1]} "*) command=${COMP_WORDS[1]} ;; esac
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    if [ "${COMP_WORDS[index]}" = -- ]; then _jitlint_files; return; fi
  done
  case $before in -*) _jitlint_value "$command:$before" && return ;; esac
  case $cur in
  -*)
    case $command in
@OPTIONS@    esac
    if [ "$COMP_CWORD" = 1 ]; then options="$options @TOP@"; fi
    _jitlint_words "$options"
    return ;;
  esac
  if [ "$COMP_CWORD" = 1 ]; then _jitlint_words '@NAMES@'; fi
  _jitlint_value "$command:"
}
complete -F _jitlint jitlint
"""


def _bash(all_commands: tuple[Command, ...]) -> str:
    def call(value: Value) -> str:
        if not value.words:
            return "_jitlint_files" if value.files else ":"
        return f"_jitlint_{'list' if value.is_list else 'words'} '{' '.join(word for word, _ in value.words)}'"

    options = "".join(f"    {command.name}) options='{_spellings(command)}' ;;\n" for command in all_commands)
    script = _BASH.replace("@VALUES@", _cases(all_commands, call)).replace("@OPTIONS@", options)
    script = script.replace("@TOP@", " ".join(word for word, _ in _TOP))
    return script.replace("@NAMES@", " ".join(command.name for command in all_commands))


_ZSH = """\
#compdef jitlint
# Completions of jitlint for zsh: this as a file _jitlint in a folder of $fpath, or eval "$(jitlint completions zsh)"
_jitlint_words() { local -a words=("$@"); _describe -t values value words; }
_jitlint_list() { compset -P '*,'; _jitlint_words "$@"; }
_jitlint_value() {
  case $1 in
@VALUES@    *) return 1 ;;
  esac
}
_jitlint() {
  local command=check before=${words[CURRENT-1]}
  local -a names=(@NAMES@) options
  if (( CURRENT > 2 && ${names[(I)${words[2]}:*]} )); then command=${words[2]}; fi
  if (( ${words[(I)--]} && ${words[(I)--]} < CURRENT )); then _files; return; fi
  if [[ $PREFIX == --*=* ]]; then
    before=${PREFIX%%=*}
    compset -P '*='
    _jitlint_value "$command:$before"
    return
  fi
  if [[ $before == -* ]] && _jitlint_takes "$command:$before"; then _jitlint_value "$command:$before"; return; fi
  if [[ $PREFIX == -* ]]; then
    case $command in
@OPTIONS@    esac
    if (( CURRENT == 2 )); then options+=(@TOP@); fi
    _describe -o -t options option options
    return
  fi
  if (( CURRENT == 2 )); then _describe -t commands command names; fi
  _jitlint_value "$command:"
}
_jitlint_takes() { case $1 in @TAKERS@) return 0 ;; esac; return 1; }
if [[ $funcstack[1] == _jitlint ]]; then _jitlint "$@"; else compdef _jitlint jitlint; fi
"""


def _zsh(all_commands: tuple[Command, ...]) -> str:
    def call(value: Value) -> str:
        if not value.words:
            return "_files" if value.files else "_message value"
        return f"_jitlint_{'list' if value.is_list else 'words'} {_described(value.words)}"

    options = "".join(
        f"    {command.name}) options=({_described(_with_help(command))}) ;;\n" for command in all_commands
    )
    takers = [taker for takers in _by_value(all_commands).values() for taker in takers if not taker.endswith(":")]
    script = _ZSH.replace("@VALUES@", _cases(all_commands, call)).replace("@OPTIONS@", options)
    script = script.replace("@TOP@", _described(_TOP)).replace("@TAKERS@", "|".join(takers))
    return script.replace("@NAMES@", _described(tuple((each.name, each.summary) for each in all_commands)))


def _with_help(command: Command) -> Words:
    return tuple((spelling, option.help) for option in command.options for spelling in option.spellings)


def _described(words: Words) -> str:
    """Words as `_describe` takes them: each with a colon and its description."""
    return " ".join(_quoted(word.replace(":", "\\:") + (f":{text}" if text else "")) for word, text in words)


_FISH = """\
# Completions of jitlint for fish: jitlint completions fish > ~/.config/fish/completions/jitlint.fish
function __jitlint_command
    set -l words (commandline -opc)
    if contains -- "$words[2]" @NAMES@
        echo $words[2]
    else
        echo check
    end
end
function __jitlint_in
    test (__jitlint_command) = $argv[1]
end
function __jitlint_first
    test (count (commandline -opc)) = 1
end
"""


def _fish(all_commands: tuple[Command, ...]) -> str:
    lines = [_FISH.replace("@NAMES@", " ".join(command.name for command in all_commands))]
    for command in all_commands:
        lines.append(f"complete -c jitlint -n __jitlint_first -a {command.name} -d {_fish_quoted(command.summary)}")
        where = f"complete -c jitlint -n '__jitlint_in {command.name}'"
        lines += [f"{where} {_fish_option(option)}" for option in command.options]
        value = command.arguments
        if not value.files:
            # Commands are first words as well as files are, so that only further words are none.
            lines.append(f"{where} -f" + (f" -a {_fish_words(value)}" if value.words else ""))
    lines += [f"complete -c jitlint -n __jitlint_first {_fish_top(word, text)}" for word, text in _TOP]
    return "\n".join([*lines, ""])


def _fish_option(option: Option) -> str:
    spelt = " ".join(f"-l {each[2:]}" if each.startswith("--") else f"-s {each[1:]}" for each in option.spellings)
    value = option.value
    if value is None:
        takes = ""
    elif value.files:
        takes = " -r -F"
    else:
        takes = f" -x -a {_fish_words(value)}" if value.words else " -x"
    return f"{spelt}{takes} -d {_fish_quoted(option.help)}"


def _fish_top(word: str, text: str) -> str:
    return f"{'-l ' + word[2:] if word.startswith('--') else '-s ' + word[1:]} -d {_fish_quoted(text)}"


def _fish_words(value: Value) -> str:
    """Words as `complete -a` takes them, each with a tab and its description; of a list, after what is there."""
    words = " ".join(f"{word}\\t{_fish_escaped(text)}" if text else word for word, text in value.words)
    return _fish_quoted(f"(__fish_append , {words})" if value.is_list else words)


def _fish_escaped(text: str) -> str:
    return text.replace(" ", "\\ ")


def _fish_quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


_SCRIPTS: dict[str, Callable[[tuple[Command, ...]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
