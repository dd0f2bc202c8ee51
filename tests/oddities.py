"""Modules in every way that MLIR text allows, each with a group that fuses: the double of the argument, negated.

`READ` are read by the engine too; `@main` takes one number and returns minus its double unless `COMPUTES` says
otherwise. `OLD` are in spellings that older engines read.
"""

from __future__ import annotations

from tests.texts import ADD_TO, DOUBLE, NEGATE, WRAPPERS, T, alias, call, chain, module, swap

FIRST, SECOND = call("%0", "double", "%arg0"), call("%1", "negate", "%0")
RETURN = f"return %1 : {T}"
TYPE = f"({T}) -> {T}"
ALIASES = f"output_operand_aliases = [{alias()}]"
IN_BRACES = [
    f'%{number} = "enzymexla.jit_call"(%{operand}) <{{fn = @{name}, backend_config = "", {ALIASES}}}> : {TYPE}'
    for number, operand, name in ((0, "arg0", "double"), (1, "0", "negate"))
]
GENERIC_OLD = [text.replace("<{", "{").replace("}>", "}", 1) for text in IN_BRACES]
GENERIC_OLD = [text.replace("operand_tuple_indices = []}", "operand_tuple_indices = []>") for text in GENERIC_OLD]


def _body(*lines: str) -> str:
    return module("\n".join(f"    {line}" for line in lines))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _located(text: str) -> str:
    """Locations on every operation and argument, and their definitions behind the module."""
    lines = []
    for number, line in enumerate(text.splitlines()):
        bare = line.rstrip()
        if bare.endswith("{"):
            bare = bare.replace("!llvm.ptr", f"!llvm.ptr loc(#loc{number})")
        elif bare and bare != "module {":
            bare += f" loc(#loc{number})"
        lines.append(bare)
    definitions = [f'#loc{number} = loc("a (b.mlir":{number}:1)' for number in range(len(lines))]
    return "\n".join([*lines, *definitions, "#loc = loc(unknown)", ""])


WHILE = f"""\
    %c = stablehlo.constant dense<0> : tensor<i64>
    %r:2 = stablehlo.while(%iterArg = %arg0, %i = %c) : {T}, tensor<i64>
    cond {{
      %2 = stablehlo.constant dense<1> : tensor<i64>
      %3 = stablehlo.compare LT, %i, %2 : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    }} do {{
      %2 = stablehlo.constant dense<1> : tensor<i64>
      {call("%3", "double", "%iterArg")}
      %4 = stablehlo.add %i, %2 : tensor<i64>
      {call("%5", "negate", "%3")}
      stablehlo.return %5, %4 : {T}, tensor<i64>
    }}
    return %r#0 : {T}"""

IF = f"""\
    %c = stablehlo.constant dense<true> : tensor<i1>
    %1 = "stablehlo.if"(%c) ({{
      {call("%0", "double", "%arg0")}
      {call("%1", "negate", "%0")}
      stablehlo.return %1 : {T}
    }}, {{
      stablehlo.return %arg0 : {T}
    }}) : (tensor<i1>) -> {T}
    return %1 : {T}"""

CASE = f"""\
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = "stablehlo.case"(%c) ({{
      stablehlo.return %arg0 : {T}
    }}, {{
      {call("%0", "double", "%arg0")}
      {call("%1", "negate", "%0")}
      stablehlo.return %1 : {T}
    }}) : (tensor<i32>) -> {T}
    return %1 : {T}"""

SEVERAL_BLOCKS = f"""\
    cf.br ^bb1
  ^bb1:  // pred: ^bb0
    {FIRST}
    cf.br ^bb3(%0 : {T})
  ^bb2(%3: {T}):
    return %3 : {T}
  ^bb3(%2: {T}):
    {call("%4", "negate", "%2")}
    {call("%5", "negate", "%4")}
    {call("%6", "negate", "%5")}
    cf.br ^bb2(%6 : {T})"""

READ: dict[str, str] = {
    "plain": chain(),
    "implicit module": WRAPPERS + f"func.func @main(%arg0: {T}) -> {T} {{\n  {FIRST}\n  {SECOND}\n  {RETURN}\n}}\n",
    "calls side by side": _body(f"{FIRST} {SECOND} {RETURN}"),
    "operations on one line": _body(f"%c = stablehlo.constant dense<0.0> : {T} {FIRST} {SECOND}", RETURN),
    "module on one line": _one_line(chain()),
    "one operation on many lines": _body(
        "%0", "=", "enzymexla.jit_call", "@double", "(", "%arg0", ")", f"<{ALIASES}>", ":", TYPE, SECOND, RETURN
    ),
    "call over four lines": _body(
        "%0 =", "enzymexla.jit_call @double (%arg0)", f"<{ALIASES}>", f": {TYPE}", SECOND, RETURN
    ),
    "results on a line of their own": _body("%0 =", FIRST[5:], "%1 =", SECOND[5:], RETURN),
    "no space before the operands": _body(FIRST.replace(" (%", "(%"), SECOND.replace(" (%", "(%"), RETURN),
    "braced properties": _body(
        FIRST.replace("<output_operand", "<{output_operand").replace("]> :", "]}> :"),
        SECOND.replace("<output_operand", "<{output_operand").replace("]> :", "]}> :"),
        RETURN,
    ),
    "generic": _body(*IN_BRACES, RETURN),
    "spellings mixed": _body(IN_BRACES[0], SECOND, RETURN),
    "count of one": _body(FIRST.replace("%0 =", "%0:1 ="), SECOND.replace("(%0)", "(%0#0)"), RETURN),
    "number of an only result": _body(FIRST, SECOND.replace("(%0)", "(%0#0)"), f"return %1#0 : {T}"),
    "spaced count": _body(FIRST.replace("%0 =", "%0 : 1 ="), SECOND, RETURN),
    "names": _body(
        FIRST.replace("%0", "%a.b$c-d_"), SECOND.replace("%1", "%_-").replace("%0", "%a.b$c-d_"), f"return %_- : {T}"
    ),
    "tabs": chain().replace("    ", "\t\t").replace("  ", "\t"),
    "carriage returns": chain().replace("\n", "\r\n"),
    "no final newline": chain().rstrip("\n"),
    "blank ends of lines": chain().replace("\n", "  \n"),
    "comments everywhere": "".join(
        f"{line} // ' \" {{ ( %1 = enzymexla.jit_call @x (%0)\n" for line in chain().splitlines()
    ),
    "comments inside a call": _body(
        "%0 // the result",
        "= enzymexla.jit_call // the name",
        "@double // <{ %9",
        FIRST.partition("@double")[2],
        SECOND,
        RETURN,
    ),
    "comments around the equals sign": _body(
        f"%0 // not %1 but %0\n    = // @f\n{FIRST.partition('= ')[2]}",
        SECOND.replace("=", "// %0 = %arg0\n    =", 1),
        RETURN,
    ),
    "alias over lines": f"#other = {alias()}\n#one // @f\n= // %0\n{alias()} // #other\n!ft\n=\n{TYPE}\n"
    + _body(
        *(text.replace(alias(), "#one").replace(TYPE, "!ft") for text in (FIRST, SECOND)),
        RETURN,
    ),
    "FileCheck": "// RUN: opt %s | FileCheck %s\n// CHECK: %[[V:.+]] = enzymexla.jit_call @__f (%arg0) {\n" + chain(),
    "locations": _located(chain()),
    "inline locations": _body(
        f'{FIRST} loc("a".b)'.replace('"a".b', 'fused<"x">["a":1:2, callsite("f(" at unknown)]'),
        f'{SECOND} loc("b.mlir":2:3 to :4)',
        RETURN,
    ),
    "aliases before": f"#one = {alias()}\n!ft = {TYPE}\n"
    + _body(
        *(text.replace(alias(), "#one").replace(TYPE, "!ft") for text in (FIRST, SECOND)),
        RETURN,
    ),
    "aliases of aliases": f"#one = {alias()}\n#all = [#one]\n"
    + _body(FIRST.replace(f"[{alias()}]", "#all"), SECOND, RETURN),
    "aliases behind": _body(f"{FIRST} loc(#here)", f"{SECOND} loc(#there)", RETURN)
    + '#other = loc("c(\\"":1:2)\n#here = loc("b" (#other))\n#there = loc(callsite("a" at #here))\n',
    "aliases of tensors": f"!t = {T}\n" + chain().replace(T, "!t"),
    "metadata before": '{-# external_resources: { a: { k: "0x08000000AB{(CD" } } #-}\n' + chain(),
    "metadata behind": chain() + '\n{-#\n  external_resources: {\n    a: { k: "0x08000000ABCD" }\n  }\n#-}\n',
    "hexadecimal data": _body(
        '%c = stablehlo.constant dense<"0x000000000000F03F000000000000F03F"> : tensor<2xf64>', FIRST, SECOND, RETURN
    ),
    "strings": _body(
        f'%c = stablehlo.constant {{a.b = "a \\"b\\" // {{[(<", a.c = "%1"}} dense<0.0> : {T}',
        FIRST,
        SECOND,
        RETURN,
    ),
    "quoted symbols": chain().replace("@double", '@"d o:{u}b-le"').replace("@negate", '@"\\22"'),
    "symbols with dots": chain().replace("@double", "@_d.o$1"),
    "affine maps": "#map = affine_map<(d0)[s0] -> (d0 mod 2 + s0)>\n#set = affine_set<(d0) : (d0 - 2 >= 0, d0 == 3)>\n"
    + chain().replace("@main(", "@main(").replace(f") -> {T} {{", f") -> {T} attributes {{a.m = #map, a.s = #set}} {{"),
    "nested angle brackets": _body(
        f"%c = stablehlo.constant {{a.b = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0,"
        f" operand_tuple_indices = []>, c.d = array<i64: 1>}} dense<0.0> : {T}",
        FIRST,
        SECOND,
        RETURN,
    ),
    "nested modules": "module {\n  module @inner {\n"
    + WRAPPERS.replace("llvm.fneg", "llvm.fsub %0,").replace("fsub %0, %0", "fsub %0, %0")
    + f"    func.func @other(%arg0: {T}) -> {T} {{\n      {FIRST}\n      {SECOND}\n      {RETURN}\n    }}\n  }}\n"
    + chain().removeprefix("module {\n"),
    "while": module(WHILE),
    "if": module(IF),
    "case": module(CASE),
    "several blocks": module(SEVERAL_BLOCKS),
    "arguments with attributes": chain().replace(
        f"@main(%arg0: {T})", f'@main(%arg0: {T} {{mhlo.sharding = "{{(", jax.arg_info = "%1"}})'
    ),
    "users of several results": _body(
        swap("%0:2", "%arg0", "%arg0"),
        call("%1", "double", "%0#1"),
        call("%2", "negate", "%1"),
        f"%3 = stablehlo.add %2, %0#0 : {T}",
        f"%4 = stablehlo.subtract %3, %arg0 : {T}",
        f"return %4 : {T}",
    ),
    "results with names": _body(
        swap("%p, %q", "%arg0", "%arg0"), call("%1", "double", "%q"), call("%2", "negate", "%1"), f"return %2 : {T}"
    ),
    "results without a name": _body(
        FIRST, SECOND, call("%2", "double", "%arg0"), call("%3", "negate", "%2").removeprefix("%3 = "), RETURN
    ),
}
"""Read by the engine. Every spelling has a name of its own here."""

OLD: dict[str, str] = {
    "attributes": _body(
        FIRST.replace("<output_operand", "{output_operand").replace("]> :", "]} :"),
        SECOND.replace("<output_operand", "{output_operand").replace("]> :", "]} :"),
        RETURN,
    ),
    "generic with everything in braces": _body(*GENERIC_OLD, RETURN),
    "three spellings": _body(
        FIRST.replace("<output_operand", "{output_operand").replace("]> :", "]} :"),
        SECOND,
        IN_BRACES[1].replace("%1 =", "%2 =").replace("(%0)", "(%1)"),
        f"return %2 : {T}",
    ),
}


def _if(name: str, condition: str, *lines: str, otherwise: str) -> str:
    """A `stablehlo.if` whose first region has these lines and returns what the last of them defines."""
    value = lines[-1].split(" = ")[0]
    body = "\n".join(f"      {line}" for line in lines)
    return (
        f'{name} = "stablehlo.if"({condition}) ({{\n{body}\n      stablehlo.return {value} : {T}\n    }}, {{\n'
        f"      stablehlo.return {otherwise} : {T}\n    }}) : (tensor<i1>) -> {T}"
    )


_TRUE = "%c = stablehlo.constant dense<true> : tensor<i1>"
_INNER = (
    swap("%8:2", "%0#1", "%0#1"),
    _if("%9", "%c", f"%3 = stablehlo.negate %8#1 : {T}", otherwise="%8#1"),
    f"%3 = stablehlo.tanh %arg0 : {T}",
    call("%10", "add_to", "%8#0", "%3"),
    f"%11 = stablehlo.add %9, %10 : {T}",
)

MOVED: dict[str, str] = {
    "a definition moves above a region with its name": _body(
        _TRUE,
        swap("%0:2", "%arg0", "%arg0"),
        _if("%4", "%c", f"%3 = stablehlo.negate %0#1 : {T}", otherwise="%0#1"),
        f"%3 = stablehlo.tanh %arg0 : {T}",
        call("%1", "add_to", "%0#0", "%3"),
        f"%5 = stablehlo.add %1, %4 : {T}",
        f"return %5 : {T}",
    ),
    "a region moves below the definition of its name": _body(
        _TRUE,
        swap("%0:2", "%arg0", "%arg0"),
        _if("%4", "%c", f"%3 = stablehlo.negate %0#1 : {T}", otherwise="%0#1"),
        f'%3 = stablehlo.tanh %arg0 : {T} loc("{"long" * 200}")',
        call("%1", "add_to", "%0#0", "%3"),
        f"%5 = stablehlo.add %1, %4 : {T}",
        f"return %5 : {T}",
    ),
    "a name that begins like another": _body(
        _TRUE,
        swap("%0:2", "%arg0", "%arg0"),
        _if("%4", "%c", f"%3 = stablehlo.negate %0#1 : {T}", otherwise="%0#1"),
        f"%33, %3 = stablehlo.optimization_barrier %arg0, %arg0 : {T}, {T}",
        call("%1", "add_to", "%0#0", "%3"),
        f"%5 = stablehlo.add %1, %4 : {T}",
        f"%6 = stablehlo.add %5, %33 : {T}",
        f"return %6 : {T}",
    ),
    "blocks in one another get different names": _body(
        _TRUE,
        swap("%0:2", "%arg0", "%arg0"),
        _if("%4", "%c", *_INNER, otherwise="%0#1"),
        f"%3 = stablehlo.tanh %arg0 : {T}",
        call("%1", "add_to", "%0#0", "%3"),
        f"%5 = stablehlo.add %1, %4 : {T}",
        f"return %5 : {T}",
    ),
}
"""Modules in which operations move past regions that define the same names further in."""

PARTS = f"{chain()}// -----\n// CHECK: split\n{chain()}\n// -----// IR Dump After X //----- //\n{chain()}// ------\n"
"""Three modules, each with its own symbols; the last line is a comment."""

__all__ = ["ADD_TO", "DOUBLE", "MOVED", "NEGATE", "OLD", "PARTS", "READ"]
