import { capability, manifestOf } from '../runtime/fixture/manifest.js'
import { pythonPackageOf } from './package.js'

const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore
export const MANIFEST = manifestOf({
  search: capability(),
  pay: capability({ side_effect: { type: 'write', rollback_window: 'PT1H' } }),
  book: capability({ approval: { required: 'always', grant_policy } }),
})

/** A client whose answers are given, one after another, and for which no time passes. */
const HEAD = `
import json
from types import SimpleNamespace
from flights_client import *
from flights_client import _core
from flights_client._http import Answer, usable_address
answers, asked, pauses = [], [], []
def send(method, path, body, key=None, wait=0):
    asked.append((method, path, body, key, wait))
    answer = answers.pop(0)
    if isinstance(answer, Exception): raise answer
    return answer
_core.time = SimpleNamespace(sleep=pauses.append, monotonic=lambda: 0.0, time=lambda: 0.0)
_core.random = SimpleNamespace(uniform=lambda least, most: most)
def client_with(credential="key", **more):
    client = Client("https://svc.test", credential, **more)
    client._send = send
    return client
def answer(value, status=200, **headers): return Answer(status, headers, json.dumps(value).encode())
def refusal(type, recovery="terminal", action="wait_and_retry", retry=False, **more):
    return answer({"success": False, "failure": {"type": type, "detail": "d", "retry": retry, "resolution": {"action": action, "recovery_class": recovery}, **more}}, 403)
def busy(**headers): return refusal("service_unavailable", "wait_then_retry", retry=True)._replace(headers=headers)
done = answer({"success": True, "invocation_id": "inv-1", "result": {}})
def decided(status, **more): return answer({"approval_request_id": "apr_1", "capability": "book", "status": status, **more})
waits = refusal("approval_required", "wait_then_retry", approval_request_id="apr_1")
`

/** What such a program prints: a line of JSON each. */
export const printed = async (code: string): Promise<readonly unknown[]> =>
  (await pythonPackageOf(MANIFEST).run(`${HEAD}${code}`)).split('\n').map((line): unknown => JSON.parse(line))
