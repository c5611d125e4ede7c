/** What the client for Python asks beside calls, member by member, and which answers and documents it believes. */
import { expect, it } from 'vitest'
import { printed } from './given-answers.js'

it('asks each question at its path, with all that is given and nothing else', async () => {
  const code = `
def question(ask):
    asked.clear(); answers[:] = [answer({"token": "t", "status": "pending"})]
    ask(client_with(retries=0))
    print(json.dumps(asked[0][:3]))
question(lambda client: client.delegate(["a"], subject="agent:b", capability="c", budget={"currency": "EUR", "max_amount": 1}, ttl_hours=0.5, purpose_parameters={"d": 1}, caller_class="e", concurrent_branches="exclusive", session_id="f", max_delegation_depth=0))
question(lambda client: client.permissions())
question(lambda client: client.audit())
question(lambda client: client.audit(capability="a", since="b", until="c", invocation_id="d", client_reference_id="e", task_id="f", parent_invocation_id="g", approval_request_id="h", event_class="low_risk_success", success=False, limit=5, cursor="i&j"))
question(lambda client: client.revoke("tok_1"))
question(lambda client: client.approval("apr_1"))
question(lambda client: client.approval("apr_1", 7.9))
question(lambda client: client.grant("apr_1"))
question(lambda client: client.grant("apr_1", "session_bound", session_id="s", expires_in_seconds=60, max_uses=2, reason="Yes."))
question(lambda client: client.deny("apr_1"))
question(lambda client: client.deny("apr_1", "No."))
question(lambda client: client.withdraw("apr_1"))
`
  expect(await printed(code)).toEqual([
    ['POST', '/svc/tokens', { scope: ['a'], subject: 'agent:b', capability: 'c', budget: { currency: 'EUR', max_amount: 1 }, ttl_hours: 0.5, purpose_parameters: { d: 1 }, caller_class: 'e', concurrent_branches: 'exclusive', session_id: 'f', max_delegation_depth: 0 }],
    ['POST', '/svc/permissions', {}],
    ['POST', '/svc/audit?', null],
    ['POST', '/svc/audit?capability=a&since=b&until=c&invocation_id=d&client_reference_id=e&task_id=f&parent_invocation_id=g&approval_request_id=h&event_class=low_risk_success&success=false&limit=5&cursor=i%26j', null],
    ['POST', '/svc/tokens/revoke', { token_id: 'tok_1' }],
    ['GET', '/svc/approval_requests/apr_1', null],
    ['GET', '/svc/approval_requests/apr_1?wait=7', null],
    ['POST', '/svc/approval_grants', { approval_request_id: 'apr_1' }],
    ['POST', '/svc/approval_grants', { approval_request_id: 'apr_1', grant_type: 'session_bound', session_id: 's', expires_in_seconds: 60, max_uses: 2, reason: 'Yes.' }],
    ['POST', '/svc/approval_requests/apr_1/deny', {}],
    ['POST', '/svc/approval_requests/apr_1/deny', { reason: 'No.' }],
    ['POST', '/svc/approval_requests/apr_1/withdraw', {}],
  ])
}) // prettier-ignore

it('gives all of an outcome, and of a resolution what it knows', async () => {
  const code = `
import dataclasses
answers[:] = [
    answer({"success": True, "invocation_id": "inv-1", "result": {"a": 1}, "cost_actual": {"amount": 2}, "budget_context": {"budget_max": 3}}),
    answer({"success": False, "invocation_id": "inv-2", "budget_context": {"budget_max": 3}, "failure": {"type": "budget_exceeded", "detail": "d", "retry": False, "resolution": {"action": "a", "recovery_class": "b", "requires": "c", "grantable_by": "d", "estimated_availability": "e", "newer": "f"}}}, 403),
]
client = client_with(retries=0)
print(json.dumps(dataclasses.asdict(client.search())))
print(json.dumps({name: value for name, value in dataclasses.asdict(client.search()).items() if name != "failure"}))
`
  expect(await printed(code)).toEqual([
    { result: { a: 1 }, invocation_id: 'inv-1', cost_actual: { amount: 2 }, budget_context: { budget_max: 3 }, success: true },
    { type: 'budget_exceeded', detail: 'd', retry: false, resolution: { action: 'a', recovery_class: 'b', requires: 'c', grantable_by: 'd', estimated_availability: 'e', recovery_target: null }, invocation_id: 'inv-2', budget_context: { budget_max: 3 }, connection_url: null, pending: null, success: false },
  ])
}) // prettier-ignore

const WAITS = 'Wait, then resume the call: a person decides approval request apr_1, until None.'

it('waits for a decision no longer than it may, and then says what it waits for', async () => {
  const code = `
clock = [0.0]
_core.time = SimpleNamespace(sleep=pauses.append, monotonic=lambda: clock[0], time=lambda: 0.0)
class Waiting:
    def __init__(self, client): self.client = client
def waited(seconds, took, first):
    asked.clear(); clock[0] = 0.0
    answers[:] = ([waits] if first else []) + [decided("pending")] * 9
    client = client_with()
    def send(*words):
        answered = answers.pop(0)
        if "approval_requests" in words[1]: asked.append((words[1], words[4] if len(words) > 4 else 0)); clock[0] += took
        return answered
    client._send = send
    if first: outcome = client.book({}, CallOptions(wait=seconds))
    else: outcome = client.resume_book(Pending("book", {}, "apr_1", "key"), seconds)
    print(json.dumps([asked, outcome.detail, outcome.pending.approval_request_id]))
waited(45.0, 20.0, True)
waited(0.2, 1.0, True)
waited(20.0, 20.0, False)
`
  const poll = (wait: number, waited = wait) => [`/svc/approval_requests/apr_1?wait=${wait}`, waited]
  expect(await printed(code)).toEqual([
    [[poll(20), poll(20), poll(5)], WAITS, 'apr_1'],
    [[poll(1)], WAITS, 'apr_1'],
    [[poll(20)], WAITS, 'apr_1'],
  ])
})

it('believes no failure that lacks a part, and no token that is none', async () => {
  const code = `
whole = {"type": "x", "detail": "d", "retry": True, "resolution": {"action": "a", "recovery_class": "b"}}
def said(failure):
    answers[:] = [answer({"success": False, "failure": failure}, 403)]
    try: return client_with(retries=0).search().type
    except TransportError as error: return [str(error), error.status]
print(json.dumps(said(whole)))
for name in ("type", "detail", "resolution"): print(json.dumps(said({**whole, name: None})))
for name in ("action", "recovery_class"): print(json.dumps(said({**whole, "resolution": {**whole["resolution"], name: 1}})))
answers[:] = [answer({"token": 7})]
try: client_with(retries=0).delegate(["a"])
except TransportError as error: print(json.dumps(str(error)))
`
  const none = ['The service answered 403 without a JSON object of the interface.', 403]
  expect(await printed(code)).toEqual(['x', none, none, none, none, none, 'The service issued no token, and did not say why.'])
}) // prettier-ignore

it('sends no credential that a header cannot carry, and no number that JSON cannot', async () => {
  const code = `
def sent(credential, parameters={}):
    try: return dict(Client("https://svc.test", credential)._request("POST", "/p", parameters, None, "a").header_items()).get("Authorization")
    except (TransportError, ValueError) as error: return type(error).__name__
print(json.dumps([sent(" key\\n"), sent("k\\u00e9y"), sent("k\\ney"), sent(lambda: "made"), sent(None), sent("key", {"a": float("nan")})]))
`
  expect(await printed(code)).toEqual([['Bearer key', 'TransportError', 'TransportError', 'Bearer made', null, 'ValueError']]) // prettier-ignore
})

it('follows one call, and says again how it broke off', async () => {
  const code = `
import contextlib
from flights_client._core import Registration
from flights_client._events import Event
sent = []
@contextlib.contextmanager
def opened(director, request, seconds):
    sent.append([request.full_url, request.get_header("Accept"), request.get_header("Idempotency-key"), seconds])
    yield SimpleNamespace(headers={"Content-Type": "text/event-stream"})
_core.opened = opened
def stream(*events):
    _core.events_of = lambda response, limits: iter(events)
    return client_with(timeout=7.0)._stream(Registration("pay", changes=True, approvable=False), {}, CallOptions(idempotency_key="mine", task_id="t"))
def told(stream):
    try: return [[step.payload for step in stream], stream.outcome().success]
    except TransportError as error: return str(error)
def event(name, **more): return Event(name, {"invocation_id": "inv-1", **more})
end = {"success": True, "result": {}}
print(json.dumps(told(stream(event("progress", payload=1), event("other"), Event("progress", {"payload": 2}), event("completed", **end)))))
print(json.dumps(told(stream(event("progress", payload=1), event("completed", **{**end, "invocation_id": "inv-2"})))))
print(json.dumps(told(stream(event("completed", **end, task_id="other")))))
print(json.dumps(told(stream(event("failed", success=False, failure=json.loads(refusal("gone").body)["failure"])))))
broken = stream(event("progress", payload=1))
print(json.dumps([told(broken), told(broken)]))
print(json.dumps(sent[0]))
`
  const brokenOff = 'The stream ended before the call did; the trail says what became of it.'
  expect(await printed(code)).toEqual([
    [[1], true],
    'The stream has an event of another invocation; the trail says what became of the call.',
    'The answer is one of another call: its task_id is not the one that was sent.',
    [[], false],
    [brokenOff, brokenOff],
    ['https://svc.test/svc/invoke/pay', 'text/event-stream, application/json', 'mine', 7],
  ])
})

it('reads an answer that is no stream as a whole, and waits for a decision longer than for an answer', async () => {
  const code = `
import contextlib
seconds = []
@contextlib.contextmanager
def opened(director, request, most):
    seconds.append(most)
    yield SimpleNamespace(headers={})
_core.opened = opened
_core.read = lambda response, url, most: answer({"success": True, "invocation_id": "inv-1", "result": most})
client = Client("https://svc.test", "key", timeout=3.0, max_answer_bytes=99)
from flights_client._core import Registration
print(json.dumps(client._stream(Registration("pay", changes=True, approvable=False), {}, CallOptions()).outcome().result))
client.approval("apr_1"); client.approval("apr_1", 7.0)
print(json.dumps(seconds))
`
  expect(await printed(code)).toEqual([99, [3, 3, 10]])
})

it('obeys no manifest that says more than it knows, wherever that is', async () => {
  const code = `
from flights_client._supported import assert_supported
def said(version="0.24.0", **more):
    try: return assert_supported({"manifest_metadata": {"version": version}, **more})
    except ValueError as error: return str(error)
def of(**capability): return said(capabilities={"a": capability})
print(json.dumps([said(), said("0.24.9"), said("0.23.0"), said(**{"x-own": {"any": 1}}), of(**{"x-own": 1}), of(response_modes=["unary"]), of(approval={"required": {"when": [{"input": "a", "above": 1}]}})]))
for found in (said("0.25.0"), said("1.0.0"), said("0.24"), said(newer=1), of(newer=1), of(response_modes=["unary", "telepathic"]), of(approval={"required": "maybe"}), of(approval={"required": {"when": [{"input": "a"}, {"newer": 1}]}}), of(approval={"tiers": [{"newer": 1}]})):
    print(json.dumps(found))
`
  const [nothing, ...found] = await printed(code)
  expect(nothing).toEqual([null, null, null, null, null, null, null])
  const not = 'which this client does not support'
  expect(found).toEqual([
    `it is of version 0.25.0, ${not}; generate it anew with a newer svc`,
    `it is of version 1.0.0, ${not}; generate it anew with a newer svc`,
    `it is of version 0.24, ${not}; generate it anew with a newer svc`,
    `it has the field newer in the document, ${not}`,
    `it has the field newer in capabilities.a, ${not}`,
    `it says telepathic as capabilities.a.response_modes.1, ${not}`,
    `it says maybe as capabilities.a.approval.required, ${not}`,
    `it has the field newer in capabilities.a.approval.required.when.1, ${not}`,
    `it has the field newer in capabilities.a.approval.tiers.0, ${not}`,
  ])
})
