"""Agents of the client for Python: one question a line, one answer a line. The folder of the client is the first argument."""

import concurrent.futures
import json
import sys

sys.path.insert(0, sys.argv[1])
from kit._core import CallOptions, Client, Pending, Registration, Success  # noqa: E402


def turn(outcome):
    if isinstance(outcome, Success):
        return {"shown": outcome.result, "state": None}
    shown = {"failure": dict(outcome.failure)}
    if outcome.invocation_id is not None:
        shown["invocation_id"] = outcome.invocation_id
    return {"shown": shown, "state": None if outcome.pending is None else outcome.pending.to_json()}


def tool_of(place, capability):
    return next((each for each in place["tools"] if each["capability"] == capability), {"effect": "irreversible", "approval": "sometimes"})


def registration(place, capability):
    tool = tool_of(place, capability)
    return Registration(capability, changes=tool["effect"] != "read", approvable=tool["approval"] != "never")


def call(client, place, capability, parameters, options=None):
    options = options or {}
    said = CallOptions(task_id=options.get("task"), idempotency_key=options.get("id"))
    return turn(client._call(registration(place, capability), parameters, said))


def listed(client, place):
    answer = client.permissions()
    if not isinstance(answer, dict):
        raise RuntimeError(answer.type)
    return [each["capability"] for each in answer["available"]]


def resume(client, place, state, yes):
    pending = Pending.from_json(state)
    if not yes:
        client.withdraw(pending.approval_request_id)
    return turn(client._resume(registration(place, pending.capability), pending, 1))


OPERATIONS = {"list": listed, "call": call, "resume": resume}


def answer(line):
    asked = json.loads(line)
    place = asked["place"]
    client = Client(place["url"], place["token"])
    try:
        answered = {"value": OPERATIONS[asked["op"]](client, place, *asked["args"])}
    except Exception as error:  # what a test sees as a rejection
        answered = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps({"id": asked["id"], **answered}), flush=True)


with concurrent.futures.ThreadPoolExecutor(8) as pool:
    for line in sys.stdin:
        pool.submit(answer, line)
