"""Server-sent events of a streaming call: no event, and no stream, is read for ever."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any, Dict, Iterator, NamedTuple, Optional, cast

from ._http import Limits, TransportError

_TOLD = "the trail says what became of the call"


class Event(NamedTuple):
    name: str
    data: Dict[str, Any]


def events_of(response: Any, limits: Limits) -> Iterator[Event]:
    """The events of a response as they come. Each has one line of data, which is a JSON object."""
    end = time.monotonic() + limits.stream_timeout
    held = bytearray()
    seen = total = 0
    try:
        while part := response.read1(65536):
            total += len(part)
            if total > limits.max_stream_bytes:
                raise TransportError(f"The stream is longer than {limits.max_stream_bytes} bytes (max_stream_bytes); {_TOLD}.")
            if time.monotonic() > end:
                raise TransportError(f"The stream took longer than {limits.stream_timeout} s (stream_timeout); {_TOLD}.")
            held += part
            start = 0
            while (stop := held.find(b"\n\n", max(start, seen))) >= 0:
                block = held[start:stop]
                start = stop + 2
                if b"data" in block and (event := _event_in(block)) is not None:
                    yield event
            del held[:start]
            seen = max(0, len(held) - 1)
            if len(held) > limits.max_answer_bytes:
                raise TransportError(f"The stream has an event of more than {limits.max_answer_bytes} bytes (max_answer_bytes); {_TOLD}.")
            if start > 0:
                response.renew()
    except (OSError, ValueError, RecursionError, http.client.HTTPException) as error:
        raise TransportError(f"The stream broke off: {error}; {_TOLD}.") from None


def _event_in(block: bytearray) -> Optional[Event]:
    fields: Dict[str, str] = {}
    for line in block.decode().split("\n"):
        name, _, value = line.partition(":")
        fields[name] = value.strip()
    if "data" not in fields:
        return None
    data = json.loads(fields["data"])
    if not isinstance(data, dict):
        raise ValueError("an event is no JSON object")
    return Event(fields.get("event", "message"), cast(Dict[str, Any], data))
