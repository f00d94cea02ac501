"""Named checks against one server: each prints one line of JSON with its name and whether it held."""

import asyncio
import inspect
import itertools
import json
import os
import traceback

HOST, PORT = os.environ["WIRE_HOST"], int(os.environ["WIRE_PORT"])
USER, PASSWORD, DATABASE = (os.environ[name] for name in ("WIRE_USER", "WIRE_PASSWORD", "WIRE_DATABASE"))
SERVER, KIND = os.environ["WIRE_SERVER"], os.environ["WIRE_KIND"]

_checks = []
_numbers = itertools.count(int(os.environ["WIRE_FIRST_ID"]))


def check(name, needs=None):
    """Registers a function. `needs`: "postgres", "sqlite" (the rows are in one), "engine" (what only we do)."""

    def register(function):
        _checks.append((name, needs, function))
        return function

    return register


def fresh_id():
    """A key that no other check of this program uses."""
    return next(_numbers)


def equal(actual, expected):
    if actual != expected:
        raise AssertionError(f"expected {expected!r}, got {actual!r}")


def holds(condition, detail=""):
    if not condition:
        raise AssertionError(str(detail) or "does not hold")


def raised(kind, work):
    """The exception of that kind which `work` raises."""
    try:
        work()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} was raised")


def _applies(needs):
    return needs in (None, SERVER, KIND)


def run():
    """Runs what applies to the target, in the order of the source."""
    for name, needs, function in _checks:
        if not _applies(needs):
            continue
        detail = ""
        try:
            if inspect.iscoroutinefunction(function):
                asyncio.run(asyncio.wait_for(function(), 30))
            else:
                function()
        except BaseException as error:
            place = traceback.extract_tb(error.__traceback__)
            ours = [frame for frame in place if "/programs/" in frame.filename][-1:]
            line = f" (line {ours[0].lineno})" if ours else ""
            detail = f"{type(error).__name__}: {error}{line}"
        print(json.dumps({"name": name, "ok": detail == "", "detail": detail}), flush=True)
