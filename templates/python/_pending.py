"""A call that waits for a person, which outlives the process that made it."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Dict, Mapping, cast


@dataclasses.dataclass(frozen=True)
class Pending:
    """A call that waits for a person: store `to_json()`, and resume it after a restart."""

    capability: str
    parameters: Mapping[str, Any]
    approval_request_id: str
    idempotency_key: str
    lineage: Mapping[str, str] = dataclasses.field(default_factory=lambda: cast(Dict[str, str], {}))
    bounds: Mapping[str, Any] = dataclasses.field(default_factory=lambda: cast(Dict[str, Any], {}))
    """The effects and the budget that the call named."""

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self))

    @staticmethod
    def from_json(text: str) -> Pending:
        return Pending(**json.loads(text))
