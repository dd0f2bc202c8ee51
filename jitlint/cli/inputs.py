"""What a command line asks to look at: the configuration, and the files."""

from __future__ import annotations

from jitlint.config.discovery import Configs
from jitlint.errors import UsageError
from jitlint.files.search import Found, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

    from jitlint.cli.check_options import CheckOptions
    from jitlint.config.settings import Layer

_LISTS = ("select", "extend_select", "ignore")
_VALUES = ("form", "group", "copies", "prune_wrappers", "force_exclude", "baseline", "exclude")


def configs_of(args: CheckOptions | Namespace) -> Configs:
    """The configuration that a command line asks for. Commands that lack an option do without it.

    Raises UsageError and ConfigError where it cannot be taken.
    """
    isolated: bool = getattr(args, "isolated", False)
    if not args.config:
        return Configs(_overrides(args, {}), isolated=isolated)
    from jitlint.config.given import file_and_values

    file, values = file_and_values(args.config)
    if file is not None and isolated:
        raise UsageError(f"`--isolated` cannot be used with `--config {file}`: it ignores all configuration files")
    return Configs(_overrides(args, values), file, isolated)


def _overrides(args: CheckOptions | Namespace, keys: Mapping[str, object]) -> Layer | None:
    """What the command line says over the configuration, None where it says nothing: its options win over `keys`."""
    values: dict[str, object] = {}
    for name in _LISTS:
        given = getattr(args, name, None)
        if given is not None:
            values[name.replace("_", "-")] = [code for part in given for code in part.replace(",", " ").split()]
    for name in _VALUES:
        given = getattr(args, name, None)
        if given is not None:
            values[name.replace("_", "-")] = given
    if not values and not keys:
        return None
    from jitlint.config.settings import given_layer

    layer = given_layer(keys, spelt=str, called="key {} of `--config`")
    return layer._replace(values={**layer.values, **given_layer(values).values})


def found_by(args: CheckOptions, configs: Configs) -> list[Found]:
    """The files of the run; with `--verbose`, standard error tells what becomes of each."""
    if not args.verbose:
        return find(args.paths or ["."], configs)
    from jitlint.cli import verbose

    found = find(args.paths or ["."], configs, left_out=verbose.left_out)
    verbose.tell(found, configs)
    return found
