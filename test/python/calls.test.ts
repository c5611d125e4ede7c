/** What the client for Python sends, repeats and waits for, against answers that are given: no socket, and no time passes. */
import { expect, it } from 'vitest'
import { generateRingKey, type RingKey } from '../../src/crypto/keys/key-ring.js'
import { publishedKeysOf } from '../../src/crypto/keys/published-keys.js'
import { canonicalBytes } from '../../src/crypto/json/canonical.js'
import { signDetached } from '../../src/crypto/jws/jws.js'
import { publishManifest } from '../../src/crypto/jws/published-manifest.js'
import { MANIFEST, printed } from './given-answers.js'

it('waits twice as long each time, up to ten seconds, never less than it is asked, and for a minute at most', async () => {
  const code = `
def paused(*first, retries=2):
    pauses.clear(); asked.clear(); answers[:] = [*first, done]
    client_with(retries=retries).pay()
    print(json.dumps([len(asked), pauses]))
paused(*[busy()] * 7, retries=7)
paused(busy(**{"retry-after": "3"}))
paused(busy(**{"retry-after": "60"}))
paused(busy(**{"retry-after": "61"}))
paused(busy(**{"retry-after": "\u00b2"}))
paused(*[busy()] * 4)
paused(busy(), retries=0)
paused(TransportError("away"))
`
  expect(await printed(code)).toEqual([
    [8, [0.25, 0.5, 1, 2, 4, 8, 10]],
    [2, [3]],
    [2, [60]],
    [1, []],
    [2, [0.25]],
    [3, [0.25, 0.5]],
    [1, []],
    [2, [0.25]],
  ])
})

it('repeats calls and questions, and neither what issues tokens nor what was redirected', async () => {
  const code = `
def requests(ask, *first):
    asked.clear(); answers[:] = [*first, decided("pending")]
    try: ask(client_with())
    except TransportError: pass
    print(len(asked))
requests(lambda client: client.approval("apr_1"), busy())
requests(lambda client: client.permissions(), busy())
requests(lambda client: client.delegate(["a"]), busy())
requests(lambda client: client.grant("apr_1"), TransportError("away"))
requests(lambda client: client.pay(), TransportError("a redirect", 307))
`
  expect(await printed(code)).toEqual([2, 1, 1, 1, 1])
})

it('has a key where a call changes something or uses up a grant, and goes on under an approval', async () => {
  const code = `
def sent(call):
    asked.clear(); answers[:] = [done]
    call(client_with())
    _, path, body, key, _ = asked[0]
    print(json.dumps([path, body, key if key in (None, "mine") else len(key)]))
sent(lambda client: client.search())
sent(lambda client: client.pay())
sent(lambda client: client.pay({}, CallOptions(idempotency_key="mine")))
sent(lambda client: client.search({}, CallOptions(approval_grant="grt_1")))
sent(lambda client: client.book())
sent(lambda client: client.book({}, CallOptions(approval_grant="grt_1", wait=1.0)))
sent(lambda client: client.search({}, CallOptions(task_id="t", client_reference_id="r", parent_invocation_id="i", upstream_service="u")))
`
  expect(await printed(code)).toEqual([
    ['/svc/invoke/search', { parameters: {} }, null],
    ['/svc/invoke/pay', { parameters: {} }, 36],
    ['/svc/invoke/pay', { parameters: {} }, 'mine'],
    ['/svc/invoke/search', { parameters: {}, approval_grant: 'grt_1' }, 36],
    ['/svc/invoke/book', { parameters: {}, approval: 'continue' }, null],
    ['/svc/invoke/book', { parameters: {}, approval_grant: 'grt_1' }, 36],
    [
      '/svc/invoke/search',
      {
        parameters: {},
        task_id: 't',
        client_reference_id: 'r',
        parent_invocation_id: 'i',
        upstream_service: 'u',
      },
      null,
    ],
  ])
})

it('is continued under the grant alone, as the call that it was', async () => {
  const code = `
def resumed(*given):
    asked.clear(); answers[:] = [waits, *given, done]
    outcome = client_with().book({"a": 1}, CallOptions(task_id="t", idempotency_key="mine", wait=30.0))
    print(json.dumps([outcome.success, getattr(outcome, "detail", None), [each[1:] for each in asked[1:]]]))
resumed(decided("pending"), decided("approved", grant_id="grt_1"))
resumed(decided("approved"))
resumed(decided("expired", grant_id="grt_1"))
resumed(decided("denied", grant_id="grt_1", reason="No!"))
`
  const asked = ['/svc/approval_requests/apr_1?wait=20', null, null, 20]
  expect(await printed(code)).toEqual([
    [
      true,
      null,
      [asked, asked, ['/svc/invoke/book', { parameters: { a: 1 }, task_id: 't', approval_grant: 'grt_1' }, 'mine', 0]],
    ],
    [false, 'Make the same call again: approval request apr_1 was approved.', [asked]],
    [false, 'Nobody decided approval request apr_1 in time. The same call opens a new one.', [asked]],
    [false, 'Denied by a person: No!', [asked]],
  ])
})

it('takes no answer to another call, by what was said of the call', async () => {
  const code = `
def told(call, **echoed):
    answers[:] = [answer({"success": True, "invocation_id": "inv-1", "result": {}, **echoed})]
    try: return call(client_with(retries=0)).success
    except TransportError as error: return str(error)
said = CallOptions(task_id="t", client_reference_id="r", parent_invocation_id="i", upstream_service="u")
print(json.dumps([told(lambda client: client.search({}, said)), told(lambda client: client.search({}, said), task_id="t", client_reference_id="r", parent_invocation_id="i", upstream_service="u")]))
print(json.dumps(told(lambda client: client.search(), task_id="other")))
for name in ("task_id", "client_reference_id", "parent_invocation_id", "upstream_service"):
    print(json.dumps(told(lambda client: client.search({}, said), **{name: "other"})))
answers[:] = [refusal("rate_limited")._replace(body=refusal("rate_limited").body[:-1] + b', "task_id": "other"}')]
try: client_with(retries=0).search({}, said)
except TransportError as error: print(json.dumps(str(error)))
`
  const another = (name: string) => `The answer is one of another call: its ${name} is not the one that was sent.`
  expect(await printed(code)).toEqual([
    [true, true],
    true,
    another('task_id'),
    another('client_reference_id'),
    another('parent_invocation_id'),
    another('upstream_service'),
    another('task_id'),
  ])
})

it('goes to no other path, whatever an id holds, and asks for a token below a delegation token alone', async () => {
  const jwt = (typ: string, claims: object = { jti: 'tok_1', sub: 'human:zoë>?' }) =>
    [{ typ }, claims, {}].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') // prettier-ignore
  const code = `
answers[:] = [decided("denied")] * 3
client = client_with()
client.approval("../a?b"); client.deny("a/b", "no"); client.withdraw("a/b")
print(json.dumps([each[1] for each in asked]))
for credential in (${JSON.stringify(jwt('svc-delegation+jwt'))}, ${JSON.stringify(jwt('JWT'))}, "svc_key", ${JSON.stringify(jwt('svc-delegation+jwt', { jti: 'tok_1' }))}, ${JSON.stringify(jwt('svc-delegation+jwt', { sub: 'a' }))}):
    asked.clear(); answers[:] = [answer({"token": "t", "token_id": "tok_2"})]
    client_with(lambda: credential + " ", timeout=7.0, insecure_http=True).delegate(["a"])
    print(json.dumps(asked[0][2]))
answers[:] = [answer({"token": "t"})]
child = client_with(timeout=7.0, retries=0, max_answer_bytes=9).delegate(["a"]).client
print(json.dumps([child._credential, child._limits.timeout, child._limits.max_answer_bytes, child._retries, child._insecure_http]))
answers[:] = [answer({"token": "t"})]
print(json.dumps(client_with(insecure_http=True).delegate(["a"]).client._insecure_http))
`
  expect(await printed(code)).toEqual([
    ['/svc/approval_requests/..%2Fa%3Fb', '/svc/approval_requests/a%2Fb/deny', '/svc/approval_requests/a%2Fb/withdraw'],
    { parent_token: 'tok_1', subject: 'human:zoë>?', scope: ['a'] },
    { scope: ['a'] },
    { scope: ['a'] },
    { scope: ['a'] },
    { scope: ['a'] },
    ['t', 7, 9, 0, false],
    true,
  ])
})

it('finds each event of a stream, wherever it is cut between two reads', async () => {
  const code = `
from flights_client._events import events_of
from flights_client._http import Limits
text = 'event: progress\\ndata: {"a": 1}\\n\\nevent: result\\ndata: {"b": 2}\\n\\n'.encode()
def read(size):
    parts = [text[at:at + size] for at in range(0, len(text), size)]
    response = SimpleNamespace(read1=lambda most: parts.pop(0) if parts else b"", renew=lambda: None)
    return [[each.name, each.data] for each in events_of(response, Limits())]
print(json.dumps([size for size in range(1, len(text) + 1) if read(size) != [["progress", {"a": 1}], ["result", {"b": 2}]]]))
`
  expect(await printed(code)).toEqual([[]])
})

it('sends a credential in the clear to this machine alone', async () => {
  const addresses = ['http://flights.example', 'http://10.0.0.5', 'http://localhost.example', 'http://evillocalhost', 'http://127.0.0.1.example', 'https://flights.example', 'http://localhost:1/', 'http://127.9.9.9', 'http://[::1]:1', 'http://svc.localhost', 'ftp://flights.example', 'flights'] // prettier-ignore
  const code = `
def taken(address, private):
    try: return usable_address(address, private)
    except ValueError: return None
print(json.dumps([taken(each, True) for each in json.loads('${JSON.stringify(addresses)}')]))
print(json.dumps([taken("http://flights.example//", False), taken("ftp://flights.example", False)]))
`
  expect(await printed(code)).toEqual([
    [null, null, null, null, null, 'https://flights.example', 'http://localhost:1', 'http://127.9.9.9', 'http://[::1]:1', 'http://svc.localhost', null, null], // prettier-ignore
    ['http://flights.example', null],
  ])
})

it('believes a manifest of its own key, until it ends', async () => {
  const [own, tokens] = [generateRingKey('manifest', 'active'), generateRingKey('tokens', 'active')]
  const keys = publishedKeysOf({ keys: [own, tokens] })
  const times = { issued_at: '2026-01-01T00:00:00Z', expires_at: '2026-04-01T00:00:00Z' }
  const bytes = canonicalBytes(publishManifest(MANIFEST, times, keys).document)
  const signed = async ({ signer }: RingKey) => signDetached(signer!, bytes)
  const given = { body: Buffer.from(bytes).toString('base64'), own: await signed(own), tokens: await signed(tokens), keys: [own.publicJwk, tokens.publicJwk], kids: [own.kid, tokens.kid] } // prettier-ignore
  const end = Date.parse(times.expires_at) / 1000
  const code = `
import base64
from flights_client._es256 import verified_manifest
given = json.loads('${JSON.stringify(given)}')
def said(jws, pinned, now=${end - 0.001}):
    try: return len(verified_manifest(base64.b64decode(given["body"]), jws, {"keys": given["keys"]}, pinned, now)) > 0
    except (ValueError, KeyError) as error: return str(error).replace(given["kids"][1], "KID").replace(given["kids"][0], "KID")
print(json.dumps(said(given["own"], given["kids"])))
print(json.dumps(said(given["own"], given["kids"], ${end})))
print(json.dumps(said(given["own"], [])))
print(json.dumps(said(given["own"], given["kids"][1:])))
print(json.dumps(said(given["tokens"], given["kids"])))
print(json.dumps(said(given["own"].replace("..", ".e30."), given["kids"])))
print(json.dumps(said(given["own"][:-1] + chr(ord(given["own"][-1]) + 1), given["kids"])))
given["keys"][0]["kty"] = "RSA"
print(json.dumps(said(given["own"], given["kids"])))
given["keys"][0] = {**given["keys"][1], "kid": given["kids"][0]}
print(json.dumps(said(given["own"], given["kids"])))
print(json.dumps(said(base64.urlsafe_b64encode(b'{"alg":"none","kid":"' + given["kids"][0].encode() + b'"}').rstrip(b"=").decode() + "..AA", given["kids"])))
`
  expect(await printed(code)).toEqual([
    true,
    'it expired at 2026-04-01T00:00:00+00:00',
    'it is signed by KID, which is not pinned',
    'it is signed by KID, which is not pinned',
    'it does not list the key KID, which signed it, as one that signs manifests',
    'it is not signed with a detached ES256 signature',
    'it has base64url in another spelling',
    'its key is none of P-256',
    'the service publishes no key KID',
    'it is not signed with a detached ES256 signature',
  ])
})

it('gives the page where a person connects an account, and calls again once it is connected', async () => {
  const code = `
answers[:] = [refusal("connection_required", "retry_now", "provide_credentials", True, connection_url="https://svc.test/c"), done]
client = client_with()
refused = client.search()
print(json.dumps([refused.type, refused.retry, refused.connection_url]))
print(json.dumps(client.search().success))
`
  expect(await printed(code)).toEqual([['connection_required', true, 'https://svc.test/c'], true])
})
