"""The rounds of a fix, and what is asked before a text is handed out."""

from __future__ import annotations

from tests.mutation.mutant import off

MUTANTS = [
    *off(
        "engine.py",
        (
            "            verify(text, flat, new_text, [plans.unit for plans in read.plans])\n",
            "            pass\n",
            "the last look",
        ),
        (
            "        if lost := read.undefined - undefined:\n",
            "        if (lost := read.undefined - undefined) and False:\n",
            "a call of a wrapper that is not there",
        ),
        (
            "still_named(plans.unit, defined - plans.analysis.defined)",
            "still_named(plans.unit, ())",
            "a name of what was taken away",
        ),
        (
            "            if unsound.keys() <= known.keys():\n                raise\n",
            "            if False:\n                raise\n",
            "a fix that cannot be written is a defect",
        ),
        (
            "finding.span not in refused and allowed(finding, source)",
            "finding.span not in refused",
            "what may not be fixed",
        ),
        (
            'if proof.difference is not None and options.form != "pass":',
            "if False:",
            "a fix that is not proved",
        ),
        (
            'if proof.difference is not None and options.form != "pass":',
            "if proof.difference is not None:",
            "the form of the compiler's pass is not proved",
        ),
        (
            "proof = prove(before, after, options.pure_ops, read)",
            "proof = prove(after, after, options.pure_ops)",
            "the proof is about the text before",
        ),
        (
            "_proved(before.text, text, options, units)",
            "None",
            "every fix is proved",
        ),
        ("        read.note(former)\n", "", "what calls named in earlier rounds"),
        (
            "    read.settle(lambda finding: allowed(finding, source))\n",
            "",
            "a group that needs one which is not allowed",
        ),
        (
            "            if text.find(JIT_CALL, start, end) < 0:\n                continue\n",
            "            if text.find(JIT_CALL, start, end) < 0:\n                break\n",
            "parts of a text",
        ),
        ("edits = flat if first else compose(edits, text, flat)", "edits = flat", "the edits of all rounds"),
        ("        if not flat:\n            flat, done = read.tidying(former, judge)\n", "", "a fix tidies up"),
    ),
]
