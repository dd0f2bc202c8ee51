"""The random modules are worth testing with: always the same, small for small seeds, and of every kind."""

import re
from collections import Counter

import pytest

from jitlint import api
from tests.engine.spelling import count_calls
from tests.generator import Sizes, generate
from tests.generator.traits import is_extended

SEEDS = range(400)


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [generate(seed)[1] for seed in SEEDS]


def test_a_seed_always_gives_the_same_module(texts: list[str]) -> None:
    assert [generate(seed)[1] for seed in SEEDS] == texts


def test_the_text_holds_the_calls_of_the_model() -> None:
    for seed in SEEDS:
        module, text = generate(seed)
        assert count_calls(text) == module.calls


EXCHANGES = (
    *("llvm.call @MPI_Irecv", "llvm.call @MPI_Isend", "llvm.call @MPI_Wait(", "llvm.call @MPI_Waitall("),
    *("stablehlo.reshape", "stablehlo.broadcast_in_dim", "stablehlo.concatenate", "stablehlo.slice"),
    *("stablehlo.optimization_barrier", "stablehlo.while", "has_side_effect = true", "xla_side_effect_free"),
    *("tensor<1x1xi32>", "tensor<4xi64>", "llvm.store %zero, %p"),
)


def test_negative_seeds_give_exchanges() -> None:
    made = [generate(seed) for seed in range(-300, 0)]
    assert all(count_calls(text) == module.calls for module, text in made)
    assert sum("MPI_" in text for _, text in made) > 270
    for piece in EXCHANGES:
        assert sum(piece in text for _, text in made) >= 3, piece


EXTENDED = {
    "layouts": (
        *(r"dense<\S+>:tensor", r"result_layouts = ", r"operand_layouts = \[#alias", r"operand_layouts = #alias"),
        *(
            r"\n!t\d+ = tensor<\dxindex>",
            r"tensor<\dx!t\d",
            r"// then\r?\n",
            r"> : tensor< \d x",
            r"dense<\[?0x[01]",
            r'dense<"0x',
        ),
    ),
    "names": (
        *("llvm.mlir.alias internal", "call @[^ ]+_other_name", 'llvm.call_intrinsic "llvm.copysign'),
        *("llvm.call @llvm.smax", 'llvm.call_intrinsic "llvm.memcpy', "llvm.call @llvm.memcpy", "llvm.intr.memcpy"),
    ),
    "assembly": (
        *(r'llvm\.inline_asm "", ""', r'has_side_effects "", "" :', r'has_side_effects "nop", "" :', "~{memory}"),
        *(r"<{asm_string = ", r'"=r,0" %'),
    ),
    "suppressions": (
        *(r"// jitlint: ignore\[JIT001\] keep", r"jit_call.*// jitlint: ignore", r"\n +// jitlint: ignore"),
        *(r"// jitlint: ignore keep", r"// jitlint: ignore\[JIT0\] keep"),
    ),
    "look-alikes": (
        *(r'backend_config = "enzymexla', r"stablehlo\.\w+ [^\n]*{note = ", r"attributes {.*my\.note = "),
        *(r'jit_call .*note = "[^k]', r'custom_call.*backend_config = "', r'// "enzymexla\.jit_call"'),
    ),
}


def test_every_eighth_seed_gives_more_kinds() -> None:
    more = [generate(seed) for seed in range(100_007, 101_607, 8)]
    assert all(count_calls(text) == module.calls for module, text in more)
    others = [generate(seed)[1] for seed in range(100_000, 100_400) if not is_extended(seed)]
    for patterns in EXTENDED.values():
        for pattern in patterns:
            assert sum(re.search(pattern, text) is not None for _, text in more) >= 2, pattern
            assert not any(re.search(pattern, text) for text in others), pattern


def test_every_eighth_seed_gives_writes_beside_other_uses() -> None:
    """Undeclared, to a value that another operation uses, in the same block or in one of the two in a region."""
    found = Counter[str]()
    for seed in range(100_007, 101_607, 8):
        module, _ = generate(seed)
        for block in module.blocks:
            made = {value for call in block.calls for value in call.results}
            for inside in block.walk():
                for each in inside.calls:
                    written = {each.operands[index] for index in each.call.undeclared if each.call}
                    others = {value for other in block.operations if other is not each for value in other.uses}
                    found[f"{inside is block}"] += bool(written & made & others)
    assert min(found["True"], found["False"]) >= 10


def test_small_seeds_give_small_modules() -> None:
    assert max(Sizes.of(seed).operations for seed in range(8)) <= 5
    assert max(Sizes.of(seed).operations for seed in range(100, 200)) > 10


@pytest.mark.parametrize(
    "pattern",
    [
        r"enzymexla\.jit_call @\S+ ?\(.*\) <output",
        r"enzymexla\.jit_call @\S+ ?\(.*\) \{output",
        r'"enzymexla\.jit_call"\(.*\) <\{.*fn = ',
        r'"enzymexla\.jit_call"\(.*\) \{.*fn = ',
        r'jit_call @"do it\d"',
        r"enzymexla\.jit_call .* -> \(\)",
        r"xla_side_effect_free",
        r"operand_layouts = ",
        r'backend_config = "x"',
        r"#alias0 = #stablehlo",
        r"%\S+:2 = .*jit_call",
        r"%\S+, %\S+ = .*jit_call",
        r"jit_call .* loc\(",
        r"jit_call .*// ",
        r"\n +// %0 = enzymexla\.jit_call",
        r"\r\n",
        r"stablehlo\.while",
        r'"stablehlo\.(if|case)"',
        r"has_side_effect = true",
        r" call @part0",
        r"func\.call @part0",
        r"enzymexla\.memory_effects = \[\]",
        r"func\.func private @\S+\(%arg0: memref<2x2xf64>",
        r"func\.func private @\S+\(%arg0: !llvm\.ptr",
        r"llvm\.func fastcc",
        r"llvm\.cond_br",
        r"scf\.if",
        r"llvm\.alloca",
        r"llvm\.mlir\.global internal constant",
        r"llvm\.mlir\.global internal @",
        r"llvm\.readonly",
        r"\n  func\.func @\S+\(%arg0: memref<",
        r"\n  func\.func @\S+\(%arg0: !llvm\.ptr",
        r"operand_layouts = \[dense<\[0, 1\]>",
        r"operand_layouts = \[dense<\[1, 0\]>",
        r"tensor<0x",
        r"tensor<\d+x\d+x\d+x",
        r"tensor<\S*bf16>",
        r"tensor<\S*f16>",
        r"tensor<\S*f32>",
        r"tensor<\S*xi1>",
        r"tensor<\S*i8>",
        r"tensor<\S*i32>",
        r"tensor<\S*complex<f32>>",
        r"tensor<\S*complex<f64>>",
        r"\n  (builtin\.)?module @inner",
        r"gpu\.module @inner",
        r"\n!\w+ = tensor<.*\n(  |func)",
        r"!pointer = !llvm\.ptr",
        r"<#p\d+>",
        r"has_side_effect = false",
        r"func\.call @\S+_store",
        r"llvm\.call @\S+_store\.last",
        r"scf\.for",
        r"llvm\.freeze %\S+ : !llvm\.ptr",
        r"llvm\.select .*!llvm\.ptr",
        r"llvm\.inttoptr",
        r"llvm\.store %\S+, %\S+ : !llvm\.ptr, !llvm\.ptr",
        r"llvm\.br \^bb\d+\(%\S+ : !llvm\.ptr\)",
        r"comdat\(",
        r"linkonce_odr|weak",
        r"preserve_mostcc|coldcc|swiftcc",
        r"@\"?llvm\.",
        r"stablehlo\.(slice|concatenate)",
        r"stablehlo\.(and|or|xor|not)",
    ],
)
def test_every_kind_of_thing_comes_up(texts: list[str], pattern: str) -> None:
    assert any(re.search(pattern, text) for text in texts)


def test_the_verdicts_are_mixed(texts: list[str]) -> None:
    """Not all can be fused, not nothing, and what stands in the way differs."""
    some = texts[100:150]
    codes = {finding.code for text in some for finding in api.check(text).findings}
    assert codes >= {"JIT001", "JIT101", "JIT102", "JIT201", "JIT304", "JIT307", "JIT403", "JIT501"}
    assert sum(api.fix(text).changed for text in some) > len(some) / 3
