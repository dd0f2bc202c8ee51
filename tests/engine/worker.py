"""The child process of `judge`: one request a line on standard input, one answer a line on standard output."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import numpy as np

from tests.engine import oracle


def encode(array: np.ndarray) -> dict[str, Any]:
    """An array as JSON: Python prints and reads every f64 exactly. A complex element is two numbers."""
    flat = array.ravel()
    if array.dtype.kind == "c":
        flat = flat.view(array.real.dtype)
    elif array.dtype.kind == "b":
        flat = flat.astype("int8")
    elif array.dtype.kind not in "iuf":
        flat = flat.astype("float32")  # bfloat16
    return {"dtype": str(array.dtype), "shape": list(array.shape), "data": flat.tolist()}


def decode(value: dict[str, Any]) -> np.ndarray:
    """The array that `encode` was given."""
    dtype = np.dtype(value["dtype"])
    if dtype.kind == "c":
        return np.array(value["data"], dtype=dtype.type(0).real.dtype).view(dtype).reshape(value["shape"])
    return np.array(value["data"]).astype(dtype).reshape(value["shape"])


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """What the engine says to one request: {"value": …} or {"error": its message}."""
    try:
        if request["do"] == "run":
            arguments = [decode(argument) for argument in request["arguments"]]
            runs = oracle.run_times(request["text"], arguments, request["passes"], request["times"])
            return {"value": [[[encode(array) for array in arrays] for arrays in run] for run in runs]}
        return {"value": oracle.run_passes(request["text"], request["passes"])}
    except oracle.EngineError as error:
        return {"error": str(error)}


def main() -> None:
    """Answer until standard input ends. What the engine itself prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
