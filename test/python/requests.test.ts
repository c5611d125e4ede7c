/** What the client for Python writes into a request and takes of a response, at the border of the standard library. */
import { expect, it } from 'vitest'
import { vectorJson } from '../vectors-suite/vectors.js'
import { printed } from './given-answers.js'

it('has limits where none are given, and no number of its own where one is', async () => {
  const code = `
client = Client("https://svc.test")
print(json.dumps([*client._limits, client._retries]))
print(json.dumps([*Client("https://svc.test", timeout=1.0, stream_timeout=2.0, max_answer_bytes=3, max_stream_bytes=4)._limits]))
`
  expect(await printed(code)).toEqual([
    [30, 900, 67_108_864, 268_435_456, 2],
    [1, 2, 3, 4],
  ])
})

it('writes the headers of what it sends, and no more of them', async () => {
  const code = `
def request(credential, body=None, key=None):
    made = Client("https://svc.test", credential)._request("POST", "/svc/tokens", body, key, "application/json")
    print(json.dumps([made.full_url, made.get_method(), dict(made.header_items()), made.data and made.data.decode()]))
request(None)
request(" key\\n", {"a": "é"}, "mine")
def refused(credential, body):
    try: Client("https://svc.test", credential)._request("POST", "/", body, None, "")
    except (ValueError, TransportError) as error: print(json.dumps([type(error).__name__, "k" in str(error).replace("Out of range float values are not JSON compliant", "")]))
refused("k\\u0007k", {})
refused("kéy", {})
refused("key", {"a": float("nan")})
`
  expect(await printed(code)).toEqual([
    ['https://svc.test/svc/tokens', 'POST', { Accept: 'application/json' }, null],
    ['https://svc.test/svc/tokens', 'POST', { Accept: 'application/json', Authorization: 'Bearer key', 'Idempotency-key': 'mine', 'Content-type': 'application/json' }, '{"a": "\\u00e9"}'],
    ['TransportError', false],
    ['TransportError', false],
    ['ValueError', false],
  ])
}) // prettier-ignore

it('follows no redirect, gives any other answer, and says why there is none', async () => {
  const code = `
import io, http.client, urllib.error, urllib.request
from flights_client._http import opened
request = urllib.request.Request("https://svc.test/a")
def told(failure):
    def fail(request, timeout): raise failure
    try: return opened(SimpleNamespace(open=fail), request, 7.0).code
    except TransportError as error: return [str(error), error.status]
for code in (299, 300, 399, 400, 503):
    print(json.dumps(told(urllib.error.HTTPError("https://svc.test/a", code, "", {}, io.BytesIO()))))
for failure in (urllib.error.URLError("refused"), TimeoutError("timed out"), http.client.BadStatusLine("x")):
    print(json.dumps(told(failure)))
`
  const redirect = 'https://svc.test/a answered with a redirect, which is not followed.'
  expect(await printed(code)).toEqual([
    299,
    [redirect, 300],
    [redirect, 399],
    400,
    503,
    ['https://svc.test/a gave no answer: refused.', null],
    ['https://svc.test/a gave no answer: timed out.', null],
    ['https://svc.test/a gave no answer: x.', null],
  ])
})

it('goes through a proxy of the environment over https alone, where it is a tunnel', async () => {
  const code = `
import urllib.request
from flights_client import _http
_http.urllib.request.getproxies = lambda: {"http": "http://a.test", "https": "http://b.test", "all": "http://c.test"}
print(json.dumps([each.proxies for each in _http.opener().handlers if isinstance(each, urllib.request.ProxyHandler)]))
`
  expect(await printed(code)).toEqual([[{ https: 'http://b.test' }]])
})

it('reads as much as its limits say, and not one byte more', async () => {
  const code = `
from flights_client._http import Limits, read
from flights_client._events import events_of
def response(text):
    parts = [text]
    return SimpleNamespace(read1=lambda most: parts.pop() if parts else b"", renew=lambda: None, status=200, headers={"X-A": "b"})
def told(take):
    try: return take()
    except TransportError as error: return str(error)
def whole(text, most): return told(lambda: [*read(response(text), "https://svc.test/a", most)[:2], len(text)])
def stream(text, event, total): return told(lambda: [[each.name, each.data] for each in events_of(response(text), Limits(max_answer_bytes=event, max_stream_bytes=total))])
print(json.dumps([whole(b"12345", 5), whole(b"123456", 5)]))
step = b'event: progress\\ndata:   {"a": 1}  \\n\\n'
print(json.dumps([stream(step, 5, len(step)), stream(step, 5, len(step) - 1)]))
print(json.dumps([stream(b"12345", 5, 99), stream(b"123456", 5, 99)]))
`
  expect(await printed(code)).toEqual([
    [[200, { 'x-a': 'b' }, 5], 'https://svc.test/a answered more than 5 bytes (max_answer_bytes).'],
    [[['progress', { a: 1 }]], 'The stream is longer than 35 bytes (max_stream_bytes); the trail says what became of the call.'],
    [[], 'The stream has an event of more than 5 bytes (max_answer_bytes); the trail says what became of the call.'],
  ])
}) // prettier-ignore

it('asks ten times a second at most, where a service does not wait', async () => {
  const code = `
answers[:] = [waits, decided("pending"), decided("pending"), decided("denied")]
client_with().book({}, CallOptions(wait=30.0))
print(json.dumps(pauses))
`
  expect(await printed(code)).toEqual([[0.1, 0.1]])
})

it('says that it waits where nobody decides in time, and asks for a second at least', async () => {
  const code = `
clock = iter([0.0, 0.0, 0.5])
_core.time.monotonic = lambda: next(clock)
answers[:] = [waits, decided("pending")]
outcome = client_with().book({}, CallOptions(wait=0.5))
print(json.dumps([outcome.detail, [each[1] for each in asked]]))
`
  expect(await printed(code)).toEqual([
    [
      'Wait, then resume the call: a person decides approval request apr_1, until None.',
      ['/svc/invoke/book', '/svc/approval_requests/apr_1?wait=1'],
    ],
  ])
})

interface Group {
  readonly publicKey: { readonly wx: string; readonly wy: string }
  readonly tests: readonly { readonly tcId: number; readonly msg: string; readonly sig: string; readonly result: string }[] // prettier-ignore
}

it('judges the signatures of Wycheproof as they are to be judged, and none by another key', async () => {
  const groups = vectorJson<{ readonly testGroups: readonly Group[] }>('wycheproof', 'ecdsa_secp256r1_sha256_p1363_test.json').testGroups // prettier-ignore
  const coordinate = (hex: string) => Buffer.from(hex.padStart(64, '0').slice(-64), 'hex').toString('base64url')
  const given = groups.flatMap(({ publicKey: { wx, wy }, tests }) =>
    tests.map(({ tcId, msg, sig, result }) => [tcId, { x: coordinate(wx), y: coordinate(wy) }, msg, sig, result === 'valid'] as const),
  ) // prettier-ignore
  const code = `
from flights_client._es256 import _holds
given = json.loads('${JSON.stringify(given)}')
print(json.dumps([id for id, key, data, signature, holds in given if _holds(key, bytes.fromhex(data), bytes.fromhex(signature)) != holds]))
_, key, data, signature, _ = next(each for each in given if each[4])
print(json.dumps(_holds({"x": key["y"], "y": key["x"]}, bytes.fromhex(data), bytes.fromhex(signature))))
`
  expect(await printed(code)).toEqual([[], false])
})
