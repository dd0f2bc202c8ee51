"""The child process of `judge`: one request a line on standard input, one answer a line on standard output."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import numpy as np

from tests.engine import oracle


def encode(array: np.ndarray) -> dict[str, Any]:
    """An array as JSON: Python prints and reads every f64 exactly."""
    return {"dtype": str(array.dtype), "shape": list(array.shape), "data": array.ravel().tolist()}


def decode(value: dict[str, Any]) -> np.ndarray:
    """The array that `encode` was given."""
    return np.array(value["data"], dtype=value["dtype"]).reshape(value["shape"])


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """What the engine says to one request: {"value": …} or {"error": its message}."""
    try:
        if request["do"] == "run":
            arguments = [decode(argument) for argument in request["arguments"]]
            return {
                "value": [encode(result) for result in oracle.run_main(request["text"], arguments, request["passes"])]
            }
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
