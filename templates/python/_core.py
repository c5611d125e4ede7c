"""The fixed part of every generated client. Standard library only; Python 3.10 or later."""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import json
import random
import time
import urllib.parse
import urllib.request
import uuid
from typing import Any, Callable, Dict, Generator, Generic, Iterator, List, Literal, Mapping, Optional, Sequence, TypedDict, TypeVar, Union, cast

from ._events import events_of
from ._http import Answer, Limits, TransportError, opened, opener, read, usable_address
from ._pending import Pending

__all__ = [
    "Budget", "CallOptions", "CallRefusal", "Client", "Credential", "Delegated", "OnPending", "Outcome", "Pending", "Progress", "Refusal",
    "Registration", "Resolution", "Stream", "Success", "TransportError", "Wait",
]

Result = TypeVar("Result")
Failure = TypeVar("Failure", bound=str)
Speaker = TypeVar("Speaker", bound="Client")

Credential = Union[str, Callable[[], str]]

Wait = Union[bool, float]
"""`False` asks once, `True` waits for the decision, a number waits so many seconds."""
OnPending = Callable[[Mapping[str, Any]], None]

CallRefusal = Literal[
    "authentication_required", "invalid_token", "token_expired", "token_revoked", "scope_insufficient", "insufficient_authority",
    "purpose_mismatch", "delegation_depth_exceeded", "invalid_parameters", "unknown_capability", "concurrent_request_rejected",
    "idempotency_in_progress", "idempotency_conflict", "rate_limited", "payload_too_large", "outcome_unknown", "service_unavailable",
    "internal_error",
]
"""Failures that any call may meet, whatever its capability declares."""


class _Ceiling(TypedDict):
    currency: str
    """ISO 4217, in capitals: EUR."""
    max_amount: float
    """In major units: 12.5 is EUR 12.50."""


class Budget(_Ceiling, total=False):
    """What a token may spend."""

    mode: Literal["per_invocation", "cumulative"]
    """A ceiling of each call, or of all that is spent under the token and those below it; of each call where it is left out."""


@dataclasses.dataclass(frozen=True)
class Resolution:
    """What to do about a failure (section 7)."""

    action: str
    recovery_class: str
    requires: Optional[str] = None
    grantable_by: Optional[str] = None
    estimated_availability: Optional[str] = None
    recovery_target: Optional[Mapping[str, Any]] = None
    """The capability to call first, and retry_after_recovery: whether the failed call may follow."""


@dataclasses.dataclass(frozen=True)
class Success(Generic[Result]):
    """A capability was called and gave a result."""

    result: Result
    invocation_id: Optional[str] = None
    cost_actual: Optional[Mapping[str, Any]] = None
    budget_context: Optional[Mapping[str, Any]] = None
    success: Literal[True] = True


@dataclasses.dataclass(frozen=True)
class Refusal(Generic[Failure]):
    """The service refused or failed, and says why and what to do."""

    type: Failure
    detail: str
    retry: bool
    """May the very same call, unchanged, succeed later?"""
    resolution: Resolution
    failure: Mapping[str, Any]
    """All that the service said."""
    invocation_id: Optional[str] = None
    budget_context: Optional[Mapping[str, Any]] = None
    pending: Optional[Pending] = None
    """What `resume` needs, where the call waits for an approval."""
    connection_url: Optional[str] = None
    """The page where the person connects an account; then the same call is made again."""
    success: Literal[False] = False


Outcome = Union[Success[Result], Refusal[Failure]]


@dataclasses.dataclass(frozen=True)
class Delegated(Generic[Speaker]):
    """A narrower token was issued; `client` speaks with it."""

    token: Mapping[str, Any] = dataclasses.field(repr=False)
    client: Speaker
    success: Literal[True] = True


@dataclasses.dataclass(frozen=True)
class CallOptions:
    """What may be said beside the inputs of a call."""

    task_id: Optional[str] = None
    client_reference_id: Optional[str] = None
    parent_invocation_id: Optional[str] = None
    upstream_service: Optional[str] = None
    approval_grant: Optional[str] = None
    idempotency_key: Optional[str] = None
    """The same key and inputs give the same answer for 24 h, and no second effect. Made for each call that changes something."""
    wait: Wait = False
    """`True` waits for an approver, a number so many seconds; then the call continues. `False` does not wait."""
    on_pending: Optional[OnPending] = None
    """Called with the open request: at once, and each time that the service is asked again."""
    requested_effects: Optional[Sequence[str]] = None
    """Effects that the call is made for; refused if the capability does not produce them."""
    budget: Optional[Mapping[str, Any]] = None
    """Ceiling of this call, within the budget of the token: currency and max_amount."""

    def lineage(self) -> Dict[str, str]:
        names = ("task_id", "client_reference_id", "parent_invocation_id", "upstream_service")
        return {name: value for name in names if (value := getattr(self, name)) is not None}

    def bounds(self) -> Dict[str, Any]:
        return _given({"requested_effects": self.requested_effects, "budget": self.budget})


@dataclasses.dataclass(frozen=True)
class Progress:
    """One step that a streaming capability reported."""

    invocation_id: str
    timestamp: str
    payload: Any


class Stream(Generic[Result, Failure]):
    """A streaming call: iterate over its progress, or ask for its outcome."""

    def __init__(self, steps: Generator[Progress, None, Outcome[Result, Failure]]) -> None:
        self._steps = steps
        self._end: Union[None, TransportError, Success[Result], Refusal[Failure]] = None

    def __iter__(self) -> Iterator[Progress]:
        while self._end is None:
            try:
                step = next(self._steps)
            except StopIteration as end:
                self._end = end.value
            except TransportError as error:
                self._end = error
            else:
                yield step
        if isinstance(self._end, TransportError):
            raise self._end

    def outcome(self) -> Outcome[Result, Failure]:
        """How the call ended. Skips what was not read yet."""
        for _ in self:
            pass
        assert self._end is not None and not isinstance(self._end, TransportError)
        return self._end


@dataclasses.dataclass(frozen=True)
class Registration:
    """What the client knows of a capability."""

    capability: str
    changes: bool
    """It changes something or costs money: a repetition needs a key."""
    approvable: bool
    """It can end in `approval_required`."""
    unary: bool = True
    """False for what only streams."""


_LONG_POLL = 20.0
_PATIENCE = 60.0
_WAITS = ("retry_now", "wait_then_retry")
_BROKEN_OFF = "The stream ended before the call did; the trail says what became of it."
_OF_ANOTHER = "The stream has an event of another invocation; the trail says what became of the call."


class Client:
    """What every client can do, whatever the service."""

    _service = ""

    def __init__(
        self,
        base_url: str,
        credential: Optional[Credential] = None,
        *,
        timeout: float = 30.0,
        retries: int = 2,
        insecure_http: bool = False,
        stream_timeout: float = 900.0,
        max_answer_bytes: int = 64 * 1024 * 1024,
        max_stream_bytes: int = 256 * 1024 * 1024,
    ) -> None:
        """`timeout` is in seconds, for each attempt, and for a stream between two events; `stream_timeout` for a whole stream.
        `retries` counts repetitions where that is safe and may help. `max_answer_bytes` is also the longest event of a stream."""
        self._base_url = usable_address(base_url, credential is not None and not insecure_http)
        self._credential = credential
        self._limits = Limits(timeout, stream_timeout, max_answer_bytes, max_stream_bytes).usable()
        self._retries = retries
        self._insecure_http = insecure_http
        self._opener = opener()

    def delegate(
        self: Speaker,
        scope: List[str],
        *,
        subject: Optional[str] = None,
        capability: Optional[str] = None,
        budget: Optional[Budget] = None,
        ttl_hours: Optional[float] = None,
        purpose_parameters: Optional[Mapping[str, Any]] = None,
        caller_class: Optional[str] = None,
        concurrent_branches: Optional[Literal["allowed", "exclusive"]] = None,
        session_id: Optional[str] = None,
        max_delegation_depth: Optional[int] = None,
    ) -> Union[Delegated[Speaker], Refusal[str]]:
        """Issues a token that narrows the authority of this client, and gives a client that speaks with it (section 4.4)."""
        asked = {
            "scope": scope, "subject": subject, "capability": capability, "budget": budget, "ttl_hours": ttl_hours,
            "purpose_parameters": purpose_parameters, "caller_class": caller_class, "concurrent_branches": concurrent_branches,
            "session_id": session_id, "max_delegation_depth": max_delegation_depth,
        }
        parent = _claims(self._bearer())
        narrowed = {} if parent is None else {"parent_token": parent["jti"], "subject": parent["sub"]}
        body = {**narrowed, **_given(asked)}
        answer = self._ask("POST", "/svc/tokens", body)
        if isinstance(answer, Refusal):
            return answer
        token = answer.get("token")
        if not isinstance(token, str):
            raise TransportError("The service issued no token, and did not say why.")
        client = type(self)(
            self._base_url, token, retries=self._retries, insecure_http=self._insecure_http, **self._limits._asdict()
        )
        return Delegated(answer, client)

    def permissions(self) -> Union[Mapping[str, Any], Refusal[str]]:
        """What this client's token may do, and what it lacks (section 4.5)."""
        return self._ask("POST", "/svc/permissions", {})

    def audit(
        self,
        *,
        capability: Optional[str] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
        invocation_id: Optional[str] = None,
        client_reference_id: Optional[str] = None,
        task_id: Optional[str] = None,
        parent_invocation_id: Optional[str] = None,
        approval_request_id: Optional[str] = None,
        event_class: Optional[Literal["low_risk_success", "high_risk_success", "low_risk_failure", "high_risk_failure"]] = None,
        success: Optional[bool] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Union[Mapping[str, Any], Refusal[str]]:
        """The trail of this token's root principal, newest first; filters combine with AND (section 4.8)."""
        filters: Dict[str, Union[str, int, bool, None]] = {
            "capability": capability, "since": since, "until": until, "invocation_id": invocation_id, "client_reference_id": client_reference_id,
            "task_id": task_id, "parent_invocation_id": parent_invocation_id, "approval_request_id": approval_request_id,
            "event_class": event_class, "success": success, "limit": limit, "cursor": cursor,
        }
        query = {name: _text(value) for name, value in _given(filters).items()}
        return self._ask("POST", f"/svc/audit?{urllib.parse.urlencode(query)}", None)

    def revoke(self, token_id: str) -> Union[Mapping[str, Any], Refusal[str]]:
        """Ends a token and everything below it."""
        return self._ask("POST", "/svc/tokens/revoke", {"token_id": token_id})

    def approval(self, request_id: str, wait: float = 0) -> Union[Mapping[str, Any], Refusal[str]]:
        """An approval request; with `wait`, when it is decided, or after so many seconds."""
        path = f"/svc/approval_requests/{urllib.parse.quote(request_id, safe='')}"
        return self._ask("GET", f"{path}?wait={int(wait)}" if wait > 0 else path, None, wait)

    def grant(
        self,
        request_id: str,
        grant_type: Optional[Literal["one_time", "session_bound"]] = None,
        *,
        session_id: Optional[str] = None,
        expires_in_seconds: Optional[int] = None,
        max_uses: Optional[int] = None,
        reason: Optional[str] = None,
    ) -> Union[Mapping[str, Any], Refusal[str]]:
        """Approves a request (section 4.7). What is left out is as the request's grant policy says; a `session_bound` grant names its session. Where several people must approve, `grant_id` is missing until the last of them has; `approvals` and `approvals_needed` say how far it is."""
        terms = {
            "grant_type": grant_type, "session_id": session_id, "expires_in_seconds": expires_in_seconds, "max_uses": max_uses, "reason": reason,
        }
        return self._ask("POST", "/svc/approval_grants", {"approval_request_id": request_id, **_given(terms)})

    def deny(self, request_id: str, reason: Optional[str] = None, *, holds: Optional[bool] = None) -> Union[Mapping[str, Any], Refusal[str]]:
        """Denies a request. With `holds=False` it is sent back: the caller is answered once with the reason, and may ask again."""
        path = f"/svc/approval_requests/{urllib.parse.quote(request_id, safe='')}/deny"
        return self._ask("POST", path, _given({"reason": reason, "holds": holds}))

    def withdraw(self, request_id: str) -> Union[Mapping[str, Any], Refusal[str]]:
        """Ends a request of one's own."""
        return self._ask("POST", f"/svc/approval_requests/{urllib.parse.quote(request_id, safe='')}/withdraw", {})

    def manifest(self, pinned_keys: List[str], now: Optional[float] = None) -> Mapping[str, Any]:
        """The manifest, after its signature by one of these keys (RFC 7638 thumbprints) was verified; raises when it does not hold."""
        from ._es256 import verified_manifest
        from ._supported import assert_supported

        signed = self._send("GET", "/svc/manifest", None)
        keys = _json(self._send("GET", "/.well-known/jwks.json", None).body)
        try:
            manifest = verified_manifest(signed.body, signed.headers.get("x-svc-signature", ""), keys, pinned_keys, now or time.time())
            assert_supported(manifest)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise TransportError(f"The manifest is not verified: {error}.") from None
        return manifest

    def _call(self, registration: Registration, parameters: Mapping[str, Any], options: CallOptions) -> Any:
        outcome = self._once(registration, parameters, options)
        if isinstance(outcome, Success) or outcome.pending is None or not options.wait:
            return outcome
        return self._resume(registration, outcome.pending, options.wait, options.on_pending)

    def _resume(self, registration: Registration, pending: Pending, wait: Wait, on_pending: Optional[OnPending] = None) -> Any:
        """Asks once for the decision, or waits for it, and continues with the grant; else tells what was decided."""
        if pending.capability != registration.capability:
            raise ValueError(f"The pending call is one of {pending.capability}, not of {registration.capability}.")
        with _naming(pending):
            decided = self._decided(pending, wait, on_pending)
            return decided if isinstance(decided, Refusal) else self._once(registration, pending.parameters, decided)

    def _decided(self, pending: Pending, wait: Wait, on_pending: Optional[OnPending]) -> Union[CallOptions, Refusal[Any]]:
        """What a call continues with; or why it does not. Waits by long-poll."""
        end = float("inf") if wait is True else time.monotonic() + float(wait or 0)
        told = on_pending is None
        while True:
            left = min(_LONG_POLL, end - time.monotonic()) if told else 0.0
            request = self.approval(pending.approval_request_id, max(1.0, left) if left > 0 else 0)
            if isinstance(request, Refusal):
                return request
            _assert_request(request, pending)
            if request["status"] != "pending":
                break
            told = True
            if on_pending is not None:
                on_pending(request)
            if time.monotonic() >= end:
                break
            time.sleep(0.1)
        grant = request.get("grant_id")
        if request["status"] != "approved" or not isinstance(grant, str):
            return _without_grant(pending, request)
        return dataclasses.replace(_options_of(pending.lineage), approval_grant=grant, idempotency_key=pending.idempotency_key, **pending.bounds)

    def _once(self, registration: Registration, parameters: Mapping[str, Any], options: CallOptions) -> Union[Success[Any], Refusal[Any]]:
        if registration.unary:
            return self._invoke(registration, parameters, options)
        followed: Stream[Any, Any] = Stream(self._follow(registration, parameters, options))
        return followed.outcome()

    def _invoke(self, registration: Registration, parameters: Mapping[str, Any], options: CallOptions) -> Union[Success[Any], Refusal[Any]]:
        path, key = _invoke_path(registration.capability), _key_of(registration, options)
        envelope = self._repeated("POST", path, _call_body(registration, parameters, options), key)
        return _outcome_of(envelope, registration.capability, parameters, options)

    def _stream(self, registration: Registration, parameters: Mapping[str, Any], options: CallOptions) -> Any:
        stream: Stream[Any, Any] = Stream(self._followed(registration, parameters, options))
        return stream

    def _followed(
        self, registration: Registration, parameters: Mapping[str, Any], options: CallOptions
    ) -> Generator[Progress, None, Union[Success[Any], Refusal[Any]]]:
        """A call that is followed, and continued once it was approved, where it is to wait for that."""
        outcome = yield from self._follow(registration, parameters, options)
        if isinstance(outcome, Success) or outcome.pending is None or not options.wait:
            return outcome
        with _naming(outcome.pending):
            decided = self._decided(outcome.pending, options.wait, options.on_pending)
            if isinstance(decided, Refusal):
                return decided
            return (yield from self._follow(registration, parameters, decided))

    def _follow(
        self, registration: Registration, parameters: Mapping[str, Any], options: CallOptions
    ) -> Generator[Progress, None, Union[Success[Any], Refusal[Any]]]:
        """One streaming call. It is not repeated: what was shown would be shown again."""
        path, key = _invoke_path(registration.capability), _key_of(registration, options)
        body = {**_call_body(registration, parameters, options), "stream": True}
        request = self._request("POST", path, body, key, "text/event-stream, application/json")
        with opened(self._opener, request, self._limits.timeout) as response:
            if not response.headers.get("Content-Type", "").startswith("text/event-stream"):
                envelope = _object(read(response, request.full_url, self._limits.max_answer_bytes))
                return _outcome_of(envelope, registration.capability, parameters, options)
            invocation: Optional[str] = None
            for name, data in events_of(response, self._limits):
                told = data.get("invocation_id")
                if name not in ("progress", "completed", "failed") or not isinstance(told, str):
                    continue
                if told != (invocation := invocation or told):
                    raise TransportError(_OF_ANOTHER)
                if name != "progress":
                    return _outcome_of(data, registration.capability, parameters, options)
                yield Progress(told, str(data.get("timestamp")), data.get("payload"))
        raise TransportError(_BROKEN_OFF)

    def _ask(self, method: str, path: str, body: Optional[object], wait: float = 0) -> Union[Dict[str, Any], Refusal[str]]:
        answer = self._repeated(method, path, body, None, wait, self._retries if method == "GET" else 0)
        return _refusal_of(answer) if _is_failure(answer.get("failure")) else answer

    def _repeated(
        self, method: str, path: str, body: Optional[object], key: Optional[str], wait: float = 0, retries: Optional[int] = None
    ) -> Dict[str, Any]:
        """Repeats a request while the service says that the very same one may succeed after a wait, or does not answer."""
        most = self._retries if retries is None else retries
        for attempt in range(most + 1):
            is_last = attempt == most
            pause = random.uniform(0, min(10.0, 0.25 * 2**attempt))
            try:
                answer = self._send(method, path, body, key, wait)
            except TransportError as error:
                if is_last or error.status is not None:
                    raise
                time.sleep(pause)
                continue
            value = _object(answer)
            asked = _seconds(answer.headers.get("retry-after"))
            if is_last or asked > _PATIENCE or not _may_pass(value.get("failure")):
                return value
            time.sleep(max(pause, asked))
        raise AssertionError("unreachable")

    def _request(self, method: str, path: str, body: Optional[object], key: Optional[str], accept: str) -> urllib.request.Request:
        headers = {"Accept": accept}
        bearer = self._bearer()
        if bearer is not None:
            if not bearer.isascii() or not bearer.isprintable():
                raise TransportError("The credential has characters that a header cannot carry.")
            headers["Authorization"] = f"Bearer {bearer}"
        if key is not None:
            headers["Idempotency-Key"] = key
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body, allow_nan=False).encode()
        return urllib.request.Request(f"{self._base_url}{path}", data=data, headers=headers, method=method)

    def _send(self, method: str, path: str, body: Optional[object], key: Optional[str] = None, wait: float = 0) -> Answer:
        request = self._request(method, path, body, key, "application/json")
        with opened(self._opener, request, self._limits.timeout + wait) as response:
            return read(response, request.full_url, self._limits.max_answer_bytes)

    def _bearer(self) -> Optional[str]:
        given = self._credential() if callable(self._credential) else self._credential
        return None if given is None else given.strip()


def _claims(bearer: Optional[str]) -> Optional[Dict[str, Any]]:
    """The claims of a delegation token, unverified: the service verifies it. None for any other credential."""
    try:
        header, payload = (json.loads(base64.urlsafe_b64decode(part + "==")) for part in (bearer or "").split(".")[:2])
        return payload if header["typ"] == "svc-delegation+jwt" and payload["jti"] and payload["sub"] else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _invoke_path(capability: str) -> str:
    return f"/svc/invoke/{urllib.parse.quote(capability, safe='')}"


def _options_of(lineage: Mapping[str, str]) -> CallOptions:
    return CallOptions(
        lineage.get("task_id"), lineage.get("client_reference_id"), lineage.get("parent_invocation_id"), lineage.get("upstream_service")
    )


def _given(members: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _call_body(registration: Registration, parameters: Mapping[str, Any], options: CallOptions) -> Dict[str, Any]:
    """A call that may have been approved since it was last made goes on under that grant."""
    continues = registration.approvable and options.approval_grant is None
    beside = {"approval_grant": options.approval_grant, "approval": "continue" if continues else None}
    return {"parameters": parameters, **options.lineage(), **options.bounds(), **_given(beside)}


def _key_of(registration: Registration, options: CallOptions) -> Optional[str]:
    needed = registration.changes or options.approval_grant is not None
    return options.idempotency_key or (str(uuid.uuid4()) if needed else None)


@contextlib.contextmanager
def _naming(pending: Pending) -> Generator[None, None, None]:
    """What breaks off says which call waited."""
    try:
        yield
    except TransportError as error:
        error.pending = pending
        raise


def _assert_request(request: Mapping[str, Any], pending: Pending) -> None:
    if not isinstance(request.get("status"), str):
        raise TransportError("The service answered without the status of the approval request.")
    if (request.get("approval_request_id"), request.get("capability")) != (pending.approval_request_id, pending.capability):
        raise TransportError(f"The service answered for another approval request than {pending.approval_request_id}.")


def _object(answer: Answer) -> Dict[str, Any]:
    value = _members(_json(answer.body))
    if value is None or (answer.status >= 400 and not _is_failure(value.get("failure"))):
        raise TransportError(f"The service answered {answer.status} without a JSON object of the interface.", answer.status)
    return value


def _json(text: Union[str, bytes]) -> Any:
    """What a text says; None where it is no JSON, or nested deeper than can be read."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _members(value: Any) -> Optional[Dict[str, Any]]:
    return cast(Dict[str, Any], value) if isinstance(value, dict) else None


def _is_failure(failure: Any) -> bool:
    members = _members(failure) or {}
    resolution = _members(members.get("resolution")) or {}
    texts = (members.get("type"), members.get("detail"), resolution.get("action"), resolution.get("recovery_class"))
    return all(isinstance(text, str) for text in texts)


def _may_pass(failure: Any) -> bool:
    """Whether waiting helps. For a person, who takes long, waits only who asks for that."""
    if not _is_failure(failure) or failure.get("retry") is not True or failure["type"] == "approval_required":
        return False
    resolution = failure["resolution"]
    return resolution.get("recovery_class") in _WAITS and resolution.get("action") != "provide_credentials"


def _seconds(text: Optional[str]) -> float:
    return float(text) if text is not None and text.isascii() and text.isdigit() else 0.0


def _text(value: Union[str, int, bool]) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _refusal_of(envelope: Mapping[str, Any], pending: Optional[Pending] = None) -> Refusal[str]:
    failure = envelope["failure"]
    known = {field.name for field in dataclasses.fields(Resolution)}
    resolution = Resolution(**{name: value for name, value in failure["resolution"].items() if name in known})
    return Refusal(
        failure["type"], failure.get("detail", ""), failure.get("retry") is True, resolution, failure,
        envelope.get("invocation_id"), envelope.get("budget_context"), pending, failure.get("connection_url"),
    )


def _outcome_of(
    envelope: Mapping[str, Any], capability: str, parameters: Mapping[str, Any], options: CallOptions
) -> Union[Success[Any], Refusal[str]]:
    if not _is_failure(envelope.get("failure")):
        if envelope.get("success") is not True or "result" not in envelope:
            raise TransportError("The service answered without an envelope.")
        _assert_same_call(options, envelope)
        return Success(envelope["result"], envelope.get("invocation_id"), envelope.get("cost_actual"), envelope.get("budget_context"))
    _assert_same_call(options, envelope)
    request_id = envelope["failure"].get("approval_request_id")
    is_open = envelope["failure"]["type"] == "approval_required" and isinstance(request_id, str)
    pending = Pending(capability, dict(parameters), request_id, options.idempotency_key or str(uuid.uuid4()), options.lineage(), options.bounds()) if is_open else None
    return _refusal_of(envelope, pending)


def _assert_same_call(options: CallOptions, envelope: Mapping[str, Any]) -> None:
    """What a caller said of a call is echoed (section 4.6): an envelope that says otherwise is one of another call."""
    for name, said in options.lineage().items():
        if envelope.get(name, said) != said:
            raise TransportError(f"The answer is one of another call: its {name} is not the one that was sent.")


_ENDINGS = {
    "pending": ("approval_required", True, "wait_and_retry", "wait_then_retry"),
    "approved": ("approval_required", True, "wait_and_retry", "wait_then_retry"),
    "denied": ("approval_denied", False, "contact_service_owner", "terminal"),
    "returned": ("approval_returned", False, "revise_parameters", "revalidate_then_retry"),
}
"""What a call ends as that has no grant, by the state of its request: type, retry, action, recovery class."""


def _without_grant(pending: Pending, request: Mapping[str, Any]) -> Refusal[str]:
    status, id = request["status"], pending.approval_request_id
    why = "" if request.get("reason") is None else f": {request['reason']}"
    kind, retry, action, recovery = _ENDINGS.get(status, ("approval_required", False, "request_approval", "wait_then_retry"))
    details = {
        "pending": f"Wait, then resume the call: a person decides approval request {id}, until {request.get('expires_at')}.",
        "approved": f"Make the same call again: approval request {id} was approved.",
        "denied": _ended(f"Denied by a person{why}"),
        "returned": _ended(f"Sent back by a person with a question{why}"),
        "expired": f"Nobody decided approval request {id} in time. The same call opens a new one.",
    }
    detail = details.get(status, f"Approval request {id} was {status}. The same call opens a new one.")
    decision = {} if status == "pending" else {"decision": request}
    resolution = {"action": action, "recovery_class": recovery}
    failure = {"type": kind, "detail": detail, "retry": retry, "resolution": resolution, "approval_request_id": id, **decision}
    return Refusal(kind, detail, retry, Resolution(action, recovery), failure, pending=pending if kind == "approval_required" else None)


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
