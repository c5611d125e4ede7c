"""An agent in Python: searches, is refused over its budget, asks for an approval, and goes on after a restart. No model, no network.

    PYTHONPATH=dist/python python3 agent.py ask pending.json       asks, and stores what it waits for
    PYTHONPATH=dist/python python3 agent.py approve pending.json   what another person does
    PYTHONPATH=dist/python python3 agent.py resume pending.json    a new process goes on
"""

import os
import pathlib
import sys

from travel_client import Client, Pending, Refusal

BASE_URL = os.environ.get("SVC_URL", "http://127.0.0.1:4100")


def agent(max_amount: float) -> Client:
    """A client whose token may spend so much."""
    developer = Client(BASE_URL, os.environ["SVC_DEVELOPER_KEY"])
    delegated = developer.delegate(
        ["travel.search", "travel.book"], subject="agent:planner", budget={"currency": "EUR", "max_amount": max_amount}, ttl_hours=1
    )
    if isinstance(delegated, Refusal):
        raise SystemExit(f"{delegated.type}: {delegated.detail}")
    return delegated.client


def quote(client: Client) -> str:
    found = client.search_flights({"origin": "LIS", "destination": "BER", "date": "2030-05-01"})
    if isinstance(found, Refusal):
        raise SystemExit(f"{found.type}: {found.detail}")
    print("found", len(found.result["flights"]), "flights")
    return str(found.result["quote_id"])


def ask(file: pathlib.Path) -> None:
    poor = agent(1)
    refused = poor.book_flight({"quote_id": quote(poor), "passengers": 1})
    print("over budget:", (refused.type, refused.resolution.action) if isinstance(refused, Refusal) else None)
    client = agent(1000)
    asked = client.book_flight({"quote_id": quote(client), "passengers": 1})
    if not isinstance(asked, Refusal) or asked.pending is None:
        raise SystemExit("An approval was expected.")
    file.write_text(asked.pending.to_json())
    print("waits for", asked.type)


def approve(file: pathlib.Path) -> None:
    approver = Client(BASE_URL, os.environ["SVC_APPROVER_KEY"])
    granted = approver.grant(Pending.from_json(file.read_text()).approval_request_id)
    print("approved:", not isinstance(granted, Refusal))


def resume(file: pathlib.Path) -> None:
    pending = Pending.from_json(file.read_text())
    client = agent(1000)
    first = client.resume_book_flight(pending, wait=20)
    again = client.resume_book_flight(pending, wait=20)
    if isinstance(first, Refusal) or isinstance(again, Refusal):
        raise SystemExit("Both should have gone on.")
    print("booked once:", first.result["booking_id"] == again.result["booking_id"])


if __name__ == "__main__":
    {"ask": ask, "approve": approve, "resume": resume}[sys.argv[1]](pathlib.Path(sys.argv[2]))
