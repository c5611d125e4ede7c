"""The fixed part of every generated client. Standard library only; Python 3.10 or later."""

from __future__ import annotations

import base64
import dataclasses
import http.client
import ipaddress
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Callable, Dict, Generic, Iterator, List, Literal, Mapping, Optional, Tuple, TypedDict, TypeVar, Union, cast

__all__ = [
    "Budget", "CallOptions", "CallRefusal", "Client", "Credential", "Delegated", "Outcome", "Pending", "Progress", "Refusal", "Resolution",
    "Stream", "Success", "TransportError",
]

Result = TypeVar("Result")
Failure = TypeVar("Failure", bound=str)
Speaker = TypeVar("Speaker", bound="Client")

Credential = Union[str, Callable[[], str]]

CallRefusal = Literal[
    "authentication_required", "invalid_token", "token_expired", "token_revoked", "scope_insufficient", "insufficient_authority",
    "purpose_mismatch", "delegation_depth_exceeded", "invalid_parameters", "unknown_capability", "concurrent_request_rejected",
    "idempotency_in_progress", "idempotency_conflict", "rate_limited", "payload_too_large", "outcome_unknown", "service_unavailable",
    "internal_error",
]
"""Failures that any call may meet, whatever its capability declares."""


class TransportError(Exception):
    """The service could not be reached, or did not answer as the interface says. Governed failures are never raised."""

    def __init__(self, message: str, status: Optional[int] = None, pending: Optional[Pending] = None) -> None:
        super().__init__(message)
        self.status = status
        self.pending = pending
        """The call that waited for an approval when this happened: resume it."""


class Budget(TypedDict):
    currency: str
    max_amount: float


@dataclasses.dataclass(frozen=True)
class Resolution:
    """What to do about a failure (section 7)."""

    action: str
    recovery_class: str
    requires: Optional[str] = None
    grantable_by: Optional[str] = None
    estimated_availability: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Pending:
    """A call that waits for a person: store `to_json()`, and resume it after a restart."""

    capability: str
    parameters: Mapping[str, Any]
    approval_request_id: str
    idempotency_key: str
    lineage: Mapping[str, str] = dataclasses.field(default_factory=lambda: cast(Dict[str, str], {}))

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self))

    @staticmethod
    def from_json(text: str) -> Pending:
        return Pending(**json.loads(text))


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
    wait: Optional[float] = None
    """Seconds to wait for an approver; then the call goes on by itself."""

    def lineage(self) -> Dict[str, str]:
        names = ("task_id", "client_reference_id", "parent_invocation_id", "upstream_service")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


@dataclasses.dataclass(frozen=True)
class Progress:
    """One step that a streaming capability reported."""

    invocation_id: str
    timestamp: str
    payload: Any


class Stream(Generic[Result, Failure]):
    """A streaming call: iterate over its progress, or ask for its outcome."""

    def __init__(self, events: Iterator[Tuple[str, Dict[str, Any]]], end: Callable[[Dict[str, Any]], Any]) -> None:
        self._events = events
        self._end = end
        self._outcome: Optional[Outcome[Result, Failure]] = None

    def __iter__(self) -> Iterator[Progress]:
        for event, data in self._events:
            if event == "progress":
                yield Progress(str(data.get("invocation_id")), str(data.get("timestamp")), data.get("payload"))
            else:
                self._outcome = self._end(data)
                return

    def outcome(self) -> Outcome[Result, Failure]:
        """How the call ended. Skips what was not read yet."""
        for _ in self:
            pass
        if self._outcome is None:
            raise TransportError("The stream ended before the call did; the trail says what became of it.")
        return self._outcome


@dataclasses.dataclass(frozen=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A credential goes to the service and nowhere else."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        return None


_LONGEST = 64 * 1024 * 1024
_LONG_POLL = 20.0
_PATIENCE = 60.0
_WAITS = ("retry_now", "wait_then_retry")


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
    ) -> None:
        """`timeout` is in seconds, for each attempt; `retries` counts repetitions where that is safe and may help."""
        self._base_url = _usable(base_url, credential is not None and not insecure_http)
        self._credential = credential
        self._timeout = timeout
        self._retries = retries
        self._insecure_http = insecure_http
        # A proxy of the environment would read what is sent over plain http, the credential too; over https it is a tunnel.
        tunnels = {scheme: proxy for scheme, proxy in urllib.request.getproxies().items() if scheme == "https"}
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler(tunnels), _NoRedirects())

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
    ) -> Union[Delegated[Speaker], Refusal[str]]:
        """Issues a token that narrows the authority of this client, and gives a client that speaks with it (section 4.4)."""
        asked = {
            "scope": scope, "subject": subject, "capability": capability, "budget": budget, "ttl_hours": ttl_hours,
            "purpose_parameters": purpose_parameters, "caller_class": caller_class, "concurrent_branches": concurrent_branches,
        }
        parent = _claims(self._bearer())
        narrowed = {} if parent is None else {"parent_token": parent["jti"], "subject": parent["sub"]}
        body = {**narrowed, **{name: value for name, value in asked.items() if value is not None}}
        answer = self._ask("POST", "/svc/tokens", body)
        if isinstance(answer, Refusal):
            return answer
        token = answer.get("token")
        if not isinstance(token, str):
            raise TransportError("The service issued no token, and did not say why.")
        client = type(self)(
            self._base_url, token, timeout=self._timeout, retries=self._retries, insecure_http=self._insecure_http
        )
        return Delegated(answer, client)

    def permissions(self) -> Union[Mapping[str, Any], Refusal[str]]:
        """What this client's token may do, and what it lacks (section 4.5)."""
        return self._ask("POST", "/svc/permissions", {})

    def audit(self, **filters: Union[str, int, bool]) -> Union[Mapping[str, Any], Refusal[str]]:
        """The trail of this token's root principal (section 4.8)."""
        query = {name: _text(value) for name, value in filters.items()}
        return self._ask("POST", f"/svc/audit?{urllib.parse.urlencode(query)}", None)

    def revoke(self, token_id: str) -> Union[Mapping[str, Any], Refusal[str]]:
        """Ends a token and everything below it."""
        return self._ask("POST", "/svc/tokens/revoke", {"token_id": token_id})

    def approval(self, request_id: str, wait: float = 0) -> Union[Mapping[str, Any], Refusal[str]]:
        """An approval request; with `wait`, when it is decided, or after so many seconds."""
        path = f"/svc/approval_requests/{urllib.parse.quote(request_id, safe='')}"
        return self._ask("GET", f"{path}?wait={int(wait)}" if wait > 0 else path, None, wait)

    def grant(self, request_id: str, grant_type: str = "one_time", **terms: Any) -> Union[Mapping[str, Any], Refusal[str]]:
        """Approves a request (section 4.7)."""
        return self._ask("POST", "/svc/approval_grants", {"approval_request_id": request_id, "grant_type": grant_type, **terms})

    def deny(self, request_id: str, reason: Optional[str] = None) -> Union[Mapping[str, Any], Refusal[str]]:
        path = f"/svc/approval_requests/{urllib.parse.quote(request_id, safe='')}/deny"
        return self._ask("POST", path, {} if reason is None else {"reason": reason})

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

    def _call(self, capability: str, changes: bool, approvable: bool, parameters: Mapping[str, Any], options: CallOptions) -> Any:
        outcome = self._invoke(capability, changes, approvable, parameters, options)
        if isinstance(outcome, Success) or outcome.pending is None or options.wait is None:
            return outcome
        return self._resume(capability, outcome.pending, options.wait, outcome)

    def _resume(self, capability: str, pending: Pending, wait: Optional[float], first: Optional[Refusal[str]] = None) -> Any:
        """Waits for the decision by long-poll, and continues with the grant. Without a decision in time: what it waits for."""
        if pending.capability != capability:
            raise ValueError(f"The pending call is one of {pending.capability}, not of {capability}.")
        end = None if wait is None else time.monotonic() + wait
        while True:
            left = _LONG_POLL if end is None else min(_LONG_POLL, end - time.monotonic())
            try:
                read = self.approval(pending.approval_request_id, max(1.0, left))
            except TransportError as error:
                error.pending = pending
                raise
            if isinstance(read, Refusal):
                return read
            if read.get("status") != "pending":
                break
            if end is not None and time.monotonic() >= end:
                return first or _waiting(pending, read, "The approval request still waits for a decision.")
            time.sleep(0.1)
        grant = read.get("grant_id")
        if read.get("status") != "approved" or grant is None:
            reason = "" if read.get("reason") is None else f": {read['reason']}"
            return _waiting(pending, read, f"The approval request was {read.get('status')}{reason}.")
        options = dataclasses.replace(_options_of(pending.lineage), approval_grant=grant, idempotency_key=pending.idempotency_key)
        return self._invoke(capability, True, True, pending.parameters, options)

    def _stream(self, capability: str, parameters: Mapping[str, Any], options: CallOptions) -> Any:
        body = {"parameters": parameters, **_said(options), "stream": True}
        key = options.idempotency_key or str(uuid.uuid4())
        def outcome_of(data: Mapping[str, Any]) -> Any:
            return _outcome_of(data, capability, parameters, options)

        stream: Stream[Any, Any] = Stream(self._events(_invoke_path(capability), body, key), outcome_of)
        return stream

    def _invoke(
        self, capability: str, changes: bool, approvable: bool, parameters: Mapping[str, Any], options: CallOptions
    ) -> Union[Success[Any], Refusal[str]]:
        body = {"parameters": parameters, **_said(options)}
        if approvable and options.approval_grant is None:
            body["approval"] = "continue"
        key = options.idempotency_key or (str(uuid.uuid4()) if changes or options.approval_grant is not None else None)
        envelope = self._repeated("POST", _invoke_path(capability), body, key)
        return _outcome_of(envelope, capability, parameters, options)

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

    def _open(self, request: urllib.request.Request, wait: float = 0) -> Any:
        try:
            return self._opener.open(request, timeout=self._timeout + wait)
        except urllib.error.HTTPError as error:
            if 300 <= error.code <= 399:
                raise TransportError(f"{request.full_url} answered with a redirect, which is not followed.", error.code) from None
            return error
        except (OSError, http.client.HTTPException) as error:
            raise TransportError(f"{request.full_url} gave no answer: {getattr(error, 'reason', error)}.") from None

    def _send(self, method: str, path: str, body: Optional[object], key: Optional[str] = None, wait: float = 0) -> _Answer:
        request = self._request(method, path, body, key, "application/json")
        end = time.monotonic() + self._timeout + wait
        with self._open(request, wait) as response:
            parts: List[bytes] = []
            length = 0
            try:
                while part := response.read1(65536):
                    length += len(part)
                    if length > _LONGEST:
                        raise TransportError(f"{request.full_url} answered more than {_LONGEST} bytes.", response.status)
                    if time.monotonic() > end:
                        raise TransportError(f"{request.full_url} gave no answer within {self._timeout} s.")
                    parts.append(part)
            except (OSError, http.client.HTTPException) as error:
                raise TransportError(f"{request.full_url} broke off: {error}.") from None
            headers = {name.lower(): value for name, value in response.headers.items()}
            return _Answer(response.status, headers, b"".join(parts))

    def _events(self, path: str, body: object, key: str) -> Iterator[Tuple[str, Dict[str, Any]]]:
        request = self._request("POST", path, body, key, "text/event-stream, application/json")
        with self._open(request) as response:
            if not response.headers.get("Content-Type", "").startswith("text/event-stream"):
                headers = {name.lower(): value for name, value in response.headers.items()}
                yield "failed", _object(_Answer(response.status, headers, response.read(_LONGEST)))
                return
            event = "message"
            try:
                while line := response.readline(_LONGEST):
                    name, _, value = line.decode().rstrip("\r\n").partition(":")
                    if name == "event":
                        event = value.strip()
                    elif name == "data":
                        data = _members(_json(value))
                        if data is None:
                            raise ValueError("an event is no JSON object")
                        yield event, data
            except (OSError, ValueError, http.client.HTTPException) as error:
                raise TransportError(f"The stream broke off: {error}; the trail says what became of the call.") from None

    def _bearer(self) -> Optional[str]:
        given = self._credential() if callable(self._credential) else self._credential
        return None if given is None else given.strip()


def _usable(base_url: str, must_be_private: bool) -> str:
    parts = urllib.parse.urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"The base_url {base_url!r} is not an address such as http://127.0.0.1:4100.")
    if parts.scheme == "http" and must_be_private and not _is_loopback(parts.hostname):
        raise ValueError(
            f"The base_url {base_url!r} would send the credential in the clear; use https, or set insecure_http=True in a network that you trust."
        )
    return base_url.rstrip("/")


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


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


def _said(options: CallOptions) -> Dict[str, Any]:
    grant = {} if options.approval_grant is None else {"approval_grant": options.approval_grant}
    return {**options.lineage(), **grant}


def _object(answer: _Answer) -> Dict[str, Any]:
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
    if not _is_failure(failure) or failure.get("retry") is not True:
        return False
    resolution = failure["resolution"]
    return resolution.get("recovery_class") in _WAITS and resolution.get("action") != "provide_credentials"


def _seconds(text: Optional[str]) -> float:
    return float(text) if text is not None and text.isdigit() else 0.0


def _text(value: Union[str, int, bool]) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _refusal_of(envelope: Mapping[str, Any], pending: Optional[Pending] = None) -> Refusal[str]:
    failure = envelope["failure"]
    known = {field.name for field in dataclasses.fields(Resolution)}
    resolution = Resolution(**{name: value for name, value in failure["resolution"].items() if name in known})
    return Refusal(
        failure["type"], failure.get("detail", ""), failure.get("retry") is True, resolution, failure,
        envelope.get("invocation_id"), envelope.get("budget_context"), pending,
    )


def _outcome_of(
    envelope: Mapping[str, Any], capability: str, parameters: Mapping[str, Any], options: CallOptions
) -> Union[Success[Any], Refusal[str]]:
    if not _is_failure(envelope.get("failure")):
        if envelope.get("success") is not True or "result" not in envelope:
            raise TransportError("The service answered without an envelope.")
        return Success(envelope["result"], envelope.get("invocation_id"), envelope.get("cost_actual"), envelope.get("budget_context"))
    request_id = envelope["failure"].get("approval_request_id")
    is_open = envelope["failure"]["type"] == "approval_required" and isinstance(request_id, str)
    pending = Pending(capability, dict(parameters), request_id, options.idempotency_key or str(uuid.uuid4()), options.lineage()) if is_open else None
    return _refusal_of(envelope, pending)


def _waiting(pending: Pending, request: Mapping[str, Any], detail: str) -> Refusal[str]:
    resolution = Resolution("request_approval", "wait_then_retry")
    failure = {"type": "approval_required", "detail": detail, "approval_request_id": pending.approval_request_id, "decision": request}
    return Refusal("approval_required", detail, False, resolution, failure, pending=pending)
