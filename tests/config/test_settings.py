from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from jitlint.config.discovery import Configs
from jitlint.config.settings import KEYS, Settings, file_layer, given_layer, in_force, settle
from jitlint.errors import ConfigError
from jitlint.findings import Severity
from jitlint.options import DEFAULT, Options


def settings(tmp_path: Path, toml: str, **given: object) -> Settings:
    file = tmp_path / "jitlint.toml"
    file.write_text(toml)
    layer = given_layer({name.replace("_", "-"): value for name, value in given.items()}) if given else None
    return settle(file_layer(str(file)), layer)


def test_without_anything_the_defaults_are_in_force() -> None:
    assert settle(None, None) == Settings()
    assert Settings().options == DEFAULT


def test_the_defaults_of_the_table_are_those_of_the_options() -> None:
    for name in ("form", "group", "copies", "prune-wrappers", "fused-prefix"):
        assert KEYS[name].default == getattr(DEFAULT, name.replace("-", "_"))


@pytest.mark.parametrize("key", [key for key in KEYS.values() if key.default is not None], ids=lambda key: key.name)
def test_every_default_is_a_value_that_the_key_takes(key: object) -> None:
    assert key.read(key.default) == key.default  # type: ignore[attr-defined]
    json.dumps(key.default)  # type: ignore[attr-defined]


def test_every_key_reaches_the_settings(tmp_path: Path) -> None:
    found = settings(
        tmp_path,
        """
        select = ["JIT1", "JIT7"]
        extend-select = ["JIT001"]
        ignore = ["JIT101"]
        exclude = ["build/"]
        force-exclude = true
        pure-ops = ["mydialect.scale"]
        form = "pass"
        group = "adjacent"
        copies = true
        prune-wrappers = true
        fused-prefix = "joined_"
        baseline = "known.json"
        [per-file-ignores]
        "tests/**" = ["JIT7"]
        [severity]
        JIT102 = "error"
        JIT701 = "off"
        """,
    )
    assert found.options == Options("pass", "adjacent", True, frozenset({"mydialect.scale"}), "joined_", True)
    assert found.selects("JIT001")
    assert found.selects("JIT102")
    assert not found.selects("JIT101")
    assert not found.selects("JIT201")
    assert not found.selects("JIT701")
    assert found.severities == {"JIT102": Severity.ERROR}
    assert found.exclude == ("build/",)
    assert found.force_exclude
    assert found.baseline == str(tmp_path / "known.json")


def test_the_command_line_has_the_last_word(tmp_path: Path) -> None:
    toml = 'form = "pass"\nignore = ["JIT403"]\npure-ops = ["a.b"]\n'
    assert settings(tmp_path, toml, form="sound").options.form == "sound"
    assert settings(tmp_path, toml, form="sound").options.pure_ops == {"a.b"}
    assert not settings(tmp_path, toml, ignore=["JIT102"]).selects("JIT403"), "what is ignored adds up"
    assert settings(tmp_path, toml, select=["JIT403"]).selects("JIT403"), "select starts afresh"
    assert settings(tmp_path, toml, extend_select=["JIT403"]).selects("JIT403")


def test_per_file_ignores_name_files_from_the_folder_of_the_configuration(tmp_path: Path) -> None:
    found = settings(tmp_path, 'per-file-ignores = {"tests/**" = ["JIT7"], "*.gen.mlir" = ["JIT001"]}')
    assert not found.for_file(str(tmp_path / "tests/deep/a.mlir")).selects("JIT701")
    assert found.for_file(str(tmp_path / "src/a.mlir")).selects("JIT701")
    assert not found.for_file(str(tmp_path / "src/a.gen.mlir")).selects("JIT001")
    assert found.for_file(str(tmp_path / "src/a.gen.mlir")).selects("JIT701")


def test_the_longer_code_decides_a_severity(tmp_path: Path) -> None:
    found = settings(tmp_path, 'severity = {JIT102 = "error", JIT1 = "warning", ALL = "off"}')
    assert found.severities == {"JIT101": Severity.WARNING, "JIT102": Severity.ERROR}


@pytest.mark.parametrize(
    ("toml", "line", "words"),
    [
        ('\nselct = ["ALL"]', 2, "unknown key `selct`; did you mean `select`?"),
        ('ignore = ["JIT102", "JIT1O3"]', 1, "`ignore`: unknown rule `JIT1O3`; did you mean `JIT"),
        ('form = "sond"', 1, '`form`: must be "sound" or "pass"; did you mean `sound`?'),
        ("form = 3", 1, '`form`: must be "sound" or "pass"'),
        ("copies = 1", 1, "`copies`: must be true or false"),
        ('select = "ALL"', 1, "`select`: must be a list of strings"),
        ('exclude = ["a", 1]', 1, "`exclude`: must be a list of strings"),
        ('pure-ops = ["scale"]', 1, "`pure-ops`: `scale` is not the full name of an operation"),
        ('fused-prefix = "1x"', 1, "`fused-prefix`: must be the beginning of a symbol's name"),
        ('severity = {JIT102 = "warn"}', 1, "must be one of error, warning, info, off; did you mean"),
        ('severity = {JIT802 = "info"}', 1, "`severity`: unknown rule `JIT802`"),
        ('[per-file-ignores]\n"a/" = ["dead-cll"]', 2, "unknown rule `dead-cll`; did you mean `dead-call`?"),
        ("per-file-ignores = []", 1, "`per-file-ignores`: must be a table"),
        ("baseline = true", 1, "`baseline`: must be the path of a file"),
    ],
)
def test_what_cannot_be_taken_is_named_with_its_line(tmp_path: Path, toml: str, line: int, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        settings(tmp_path, toml)
    assert str(caught.value).startswith(f"{tmp_path / 'jitlint.toml'}:{line}: ")
    assert words in str(caught.value)


def test_the_line_is_looked_for_in_the_table_of_a_shared_file(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text('[tool.other]\nselct = 1\n\n[tool.jitlint]\nselct = ["ALL"]\n')
    with pytest.raises(ConfigError, match=r"pyproject\.toml:5: unknown key"):
        file_layer(str(file))


def test_a_file_that_is_no_toml_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"jitlint\.toml: not valid TOML"):
        settings(tmp_path, "select = [")
    (tmp_path / "jitlint.toml").write_bytes(b"select = ['\xff']")
    with pytest.raises(ConfigError, match="not valid TOML"):
        file_layer(str(tmp_path / "jitlint.toml"))


def test_every_value_has_the_place_that_it_comes_from(tmp_path: Path) -> None:
    file = tmp_path / "jitlint.toml"
    file.write_text('form = "pass"\ncopies = true\n')
    values = in_force(file_layer(str(file)), given_layer({"form": "sound"}))
    origins = {name: layer.origin if layer else None for name, (_, layer) in values.items()}
    assert values["form"][0] == "sound"
    assert (origins["form"], origins["copies"], origins["group"]) == ("command line", str(file), None)


class TestNearest:
    def test_the_nearest_file_above_counts(self, tmp_path: Path) -> None:
        (tmp_path / "jitlint.toml").write_text('form = "pass"')
        inner = tmp_path / "a/b"
        inner.mkdir(parents=True)
        (tmp_path / "a/pyproject.toml").write_text("[tool.jitlint]\ncopies = true\n")
        configs = Configs()
        assert configs.file_for(str(inner)) == str(tmp_path / "a/pyproject.toml")
        assert configs.file_for(str(tmp_path)) == str(tmp_path / "jitlint.toml")
        found = configs.of(str(inner))
        assert found is not None
        assert (found.options.copies, found.options.form) == (True, "sound")

    def test_a_shared_file_without_the_table_does_not_count(self, tmp_path: Path) -> None:
        (tmp_path / "jitlint.toml").write_text("copies = true")
        inner = tmp_path / "inner"
        inner.mkdir()
        (inner / "pyproject.toml").write_text('[project]\ndependencies = ["jitlint"]\n')
        assert Configs().file_for(str(inner)) == str(tmp_path / "jitlint.toml")

    def test_a_broken_shared_file_of_somebody_else_does_not_matter(self, tmp_path: Path) -> None:
        (tmp_path / "pyproject.toml").write_text("[tool.other\n")
        assert Configs().of(str(tmp_path)) is None

    def test_its_own_file_comes_before_the_shared_one(self, tmp_path: Path) -> None:
        (tmp_path / "pyproject.toml").write_text("[tool.jitlint]\ncopies = true\n")
        (tmp_path / "jitlint.toml").write_text("")
        assert Configs().file_for(str(tmp_path)) == str(tmp_path / "jitlint.toml")

    def test_a_table_that_is_none_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "pyproject.toml").write_text("tool.jitlint = 1\n")
        with pytest.raises(ConfigError, match=r"`tool\.jitlint` must be a table"):
            Configs().of(str(tmp_path))

    def test_each_folder_is_looked_at_once(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folders = [tmp_path / "a/b/c", tmp_path / "a/b/d", tmp_path / "a/e"]
        for folder in folders:
            folder.mkdir(parents=True)
        asked: list[str] = []
        monkeypatch.setattr("jitlint.config.discovery._in_folder", asked.append)
        configs = Configs()
        for folder in folders * 2:
            configs.of(str(folder))
        assert len(asked) == len(set(asked))

    def test_a_named_file_counts_everywhere(self, tmp_path: Path) -> None:
        (tmp_path / "jitlint.toml").write_text('form = "pass"')
        other = tmp_path / "other.toml"
        other.write_text("copies = true")
        found = Configs(None, str(other)).of(str(tmp_path))
        assert found is not None
        assert found.options == Options(copies=True)


class TestWhatIsNoConfiguration:
    @pytest.mark.parametrize("name", ["jitlint.toml", "pyproject.toml"])
    @pytest.mark.parametrize(
        ("make", "words"),
        [
            (Path.mkdir, "this is a folder"),
            (os.mkfifo, "this is a pipe"),
            (lambda path: path.symlink_to("gone"), "this is a link to nothing"),
            (lambda path: path.symlink_to(path.name), "symbolic links"),
            (lambda path: path.symlink_to("/dev/null"), "this is a device"),
        ],
    )
    def test_it_is_said(self, tmp_path: Path, name: str, make: Callable[[Path], object], words: str) -> None:
        make(tmp_path / name)
        with pytest.raises(ConfigError, match=rf"{name}: .*{words}"):
            Configs().of(str(tmp_path))
        with pytest.raises(ConfigError, match=words):
            Configs(file=str(tmp_path / name)).of("/")

    def test_a_file_that_is_not_there_is_said(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="no such file"):
            Configs(file=str(tmp_path / "gone.toml")).of("/")

    @pytest.mark.parametrize("nested", ["[" * 3000 + "]" * 3000, "{a=" * 3000 + "1" + "}" * 3000])
    def test_what_is_nested_too_deep_is_said(self, tmp_path: Path, nested: str) -> None:
        (tmp_path / "jitlint.toml").write_text(f"exclude = {nested}\n")
        with pytest.raises(ConfigError, match=r"jitlint\.toml: its values are nested too deep"):
            Configs().of(str(tmp_path))


@pytest.mark.parametrize("pattern", ["[", "[]", "a/[!", "b[c", "", " ", "/", "# all", "!", "\\", "[z-a]"])
@pytest.mark.parametrize("text", ["exclude = ['{}']", "per-file-ignores = {{'{}' = ['JIT1']}}"])
def test_a_pattern_that_can_match_nothing_is_refused(tmp_path: Path, text: str, pattern: str) -> None:
    (tmp_path / "jitlint.toml").write_text(text.format(pattern))
    with pytest.raises(ConfigError, match="is not a pattern"):
        Configs().of(str(tmp_path))
