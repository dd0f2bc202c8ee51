"""The benchmarks' inputs are what their table says they are, and the engine reads them."""

import re

import pytest

from benchmarks import generate
from benchmarks.generate import INPUTS, text_of

CALL = re.compile(r"enzymexla\.jit_call @")
FUNCTION = re.compile(r"^  func\.func @", re.MULTILINE)
CALLS = {
    "groups": (3, 6),
    "functions": (3, 6),
    "chain": (5, 5),
    "located": (3, 6),
    "sparse": (101, 2),
    "constant": (1, 2),
    "distinct_wrappers": (3, 6),
    "users": (7, 2),
    "nested": (90, 90),
}
"""A small size of each input, and the JIT calls in it."""


def small(name: str) -> str:
    return text_of(name, CALLS[name][0])


def main_operations(text: str) -> int:
    """Lines between the head of @main and its end, one operation each."""
    body = text[text.index("func.func @main") :].split("\n  }\n")[0]
    return len(body.splitlines()) - 1


def test_every_input_is_counted_here() -> None:
    assert CALLS.keys() == INPUTS.keys()


@pytest.mark.parametrize("name", INPUTS)
def test_calls(name: str) -> None:
    assert len(CALL.findall(small(name))) == CALLS[name][1]


@pytest.mark.parametrize("name", INPUTS)
def test_the_same_again(name: str) -> None:
    assert small(name) == small(name)


def test_a_group_is_22_operations() -> None:
    assert main_operations(text_of("groups", 30)) - main_operations(text_of("groups", 20)) == 220


def test_2000_groups_are_3_megabytes() -> None:
    assert sum(map(len, generate.groups(2_000))) == pytest.approx(3.3e6, rel=0.02)


def test_functions() -> None:
    assert len(FUNCTION.findall(small("functions"))) == 3


def test_sparse_counts_its_operations() -> None:
    assert main_operations(small("sparse")) == 101


def test_the_constant_has_a_megabyte_of_digits() -> None:
    digits = re.search(r'dense<"0x([0-9A-F]*)">', small("constant"))
    assert digits is not None
    assert len(digits[1]) == 1_000_000


def test_distinct_wrappers_are_called_once_each() -> None:
    called = re.findall(r"jit_call @(\w+)", small("distinct_wrappers"))
    assert sorted(called) == sorted(set(re.findall(r"llvm\.func @(\w+)", small("distinct_wrappers"))))


def test_users_of_one_value() -> None:
    assert len(re.findall(r"stablehlo\.add %\w+, %0 : ", small("users"))) == 7


def test_nesting() -> None:
    indents = [len(line) - len(line.lstrip()) for line in small("nested").splitlines()]
    assert max(indents) == 4 + 2 * generate.NESTING


def test_every_operation_has_a_location_of_its_own() -> None:
    text = small("located")
    used = re.findall(r"loc\((#loc[0-9]+)\)", text)
    assert len(used) == len(set(used))
    assert set(used) == set(re.findall(r"^(#loc[0-9]+) = ", text, re.MULTILINE))


def test_a_tree_without_calls(tmp_path) -> None:
    generate.write_tree(tmp_path, 201)
    files = sorted(tmp_path.rglob("*.mlir"))
    assert len(files) == 201
    assert len(list(tmp_path.iterdir())) == 3
    assert not any(b"jit_call" in file.read_bytes() for file in files)
