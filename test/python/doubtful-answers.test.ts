/** Answers that are almost of the interface, and signatures that almost hold: the client for Python takes none of them. */
import { expect, it } from 'vitest'
import { signDetached } from '../../src/crypto/jws/jws.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { printed } from './given-answers.js'

it('needs privacy for a credential alone', async () => {
  const code = `
def made(*words):
    try: return Client("http://flights.example", *words)._base_url
    except ValueError as error: return "in the clear" in str(error)
print(json.dumps([made(), made("key")]))
`
  expect(await printed(code)).toEqual([['http://flights.example', true]])
})

it('delegates to the subject that is given, by a token and by what only looks like one', async () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = [{ typ: 'svc-delegation+jwt' }, { jti: 'tok_1', sub: 'agent:a' }, {}].map(part).join('.')
  const lists = [[], [], []].map(part).join('.')
  const code = `
for credential in ("${token}", "${lists}", "${'W'.repeat(8)}.e30.e30"):
    asked.clear(); answers[:] = [answer({"token": "t"})]
    client_with(credential).delegate(["a"], subject="agent:b")
    print(json.dumps(asked[0][2]))
`
  expect(await printed(code)).toEqual([
    { parent_token: 'tok_1', subject: 'agent:b', scope: ['a'] },
    { subject: 'agent:b', scope: ['a'] },
    { subject: 'agent:b', scope: ['a'] },
  ])
})

it('takes an envelope for one only where it says true, and repeats only what says true', async () => {
  const code = `
def said(*given):
    asked.clear(); answers[:] = [*given, done]
    try: outcome = client_with().search()
    except TransportError as error: return str(error)
    return [outcome.success, getattr(outcome, "retry", None), len(asked)]
print(json.dumps(said(answer({"invocation_id": "inv-1", "result": {}}))))
print(json.dumps(said(answer({"success": 1, "invocation_id": "inv-1", "result": {}}))))
print(json.dumps(said(answer({"success": True, "invocation_id": "inv-1"}))))
print(json.dumps(said(refusal("service_unavailable", "wait_then_retry", retry=1))))
print(json.dumps(said(refusal("service_unavailable", "wait_then_retry", "provide_credentials", retry=True))))
print(json.dumps(said(refusal("budget_exceeded", approval_request_id="apr_1"))))
`
  const none = 'The service answered without an envelope.'
  expect(await printed(code)).toEqual([none, none, none, [false, false, 1], [false, true, 1], [false, false, 1]])
})

it('names an approval request for a demand alone', async () => {
  const code = `
def pending(first):
    answers[:] = [first]
    return client_with(retries=0).book().pending is not None
print(json.dumps([pending(waits), pending(refusal("budget_exceeded", approval_request_id="apr_1")), pending(refusal("approval_required", approval_request_id=1)), pending(refusal("approval_required"))]))
`
  expect(await printed(code)).toEqual([[true, false, false, false]])
})

it('says which call waited when a stream, or a call, breaks off in the wait', async () => {
  const code = `
from flights_client._core import Registration
def pending_of(take):
    answers[:] = [waits, decided("pending", approval_request_id="apr_2")]
    try: take(client_with())
    except TransportError as error: return [str(error), error.pending and error.pending.approval_request_id]
class Streams(Client):
    def _follow(self, registration, parameters, options):
        return _core._outcome_of(json.loads(waits.body), registration.capability, parameters, options)
        yield
def stream(client):
    client.__class__ = Streams
    answers.pop(0)
    client._stream(Registration("book", changes=True, approvable=True), {}, CallOptions(wait=9.0)).outcome()
print(json.dumps([pending_of(lambda client: client.book({}, CallOptions(wait=9.0))), pending_of(stream)]))
`
  const broken = ['The service answered for another approval request than apr_1.', 'apr_1']
  expect(await printed(code)).toEqual([[broken, broken]])
})

it('obeys no manifest of a version that is more than numbers, and no empty word', async () => {
  const code = `
from flights_client._supported import assert_supported
def said(version="0.24.0", **more):
    try: return assert_supported({**more, "manifest_metadata": {"version": version, **more.get("manifest_metadata", {})}})
    except ValueError as error: return str(error)
print(json.dumps([said("0.24.0-next"), said(capabilities={"a": {"approval": {"required": ""}}}), said(manifest_metadata={"": "version"}), said(capabilities={"": {"newer": 1}})]))
`
  const not = 'which this client does not support'
  expect(await printed(code)).toEqual([
    [
      `it is of version 0.24.0-next, ${not}; generate it anew with a newer svc`,
      `it says  as capabilities.a.approval.required, ${not}`,
      `it has the field  in manifest_metadata, ${not}`,
      `it has the field newer in capabilities., ${not}`,
    ],
  ])
})

it('believes no header with members beside its two, and no key of another curve', async () => {
  const key = generateRingKey('manifest', 'active')
  const body = JSON.stringify({
    manifest_metadata: { version: '0.24.0', expires_at: '2030-01-01T00:00:00Z' },
    service_identity: { 'x-keys': { [key.kid]: { role: 'manifest' } } },
  })
  const detached = await signDetached(key.signer!, Buffer.from(body))
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: key.kid, crit: ['b64'] })).toString('base64url')
  const signing = Buffer.from(`${header}.${Buffer.from(body).toString('base64url')}`)
  const signature = Buffer.from(await key.signer!.sign(signing)).toString('base64url')
  const more = `${header}..${signature}`
  const code = `
given = json.loads(${JSON.stringify(JSON.stringify({ body, detached, more, key: key.publicJwk }))})
def said(jws, keys, pinned=["${key.kid}"]):
    answers[:] = [Answer(200, {"x-svc-signature": jws}, given["body"].encode()), answer(keys)]
    try: return client_with().manifest(pinned, 1.0)["manifest_metadata"]["version"]
    except TransportError as error: return str(error)
def b64(text): return __import__("base64").urlsafe_b64encode(text).rstrip(b"=").decode()
key = given["key"]
print(json.dumps(said(given["detached"], {"keys": [key]})))
print(json.dumps(said(given["more"], {"keys": [key]})))
print(json.dumps(said(given["detached"], {"keys": [{**key, "crv": "P-384"}]})))
for jws, keys in ((b64(b"[" * 100_000) + "..AA", {"keys": [key]}), (given["detached"], {"keys": "key"}), (given["detached"], {"keys": None}), (given["detached"], []), (b64(b"[]") + "..AA", {}), ("", {})):
    print(json.dumps(said(jws, keys).split(":")[0]))
`
  const not = 'The manifest is not verified'
  expect(await printed(code)).toEqual([
    '0.24.0',
    `${not}: it is not signed with a detached ES256 signature.`,
    `${not}: its key is none of P-256.`,
    ...Array.from({ length: 6 }, () => not),
  ])
})

it('takes no signature of another length, and none whose points cancel out', async () => {
  const key = generateRingKey('manifest', 'active')
  const data = Buffer.from('data')
  const signature = Buffer.from(await key.signer!.sign(data)).toString('hex')
  const code = `
import base64, hashlib
from flights_client._es256 import _G, _N, _holds
key, data, signature = json.loads('${JSON.stringify(key.publicJwk)}'), b"data", bytes.fromhex("${signature}")
print(json.dumps([_holds(key, data, each) for each in (signature, signature[:32] + b"\\0" + signature[32:], signature[:63], b"")]))
# The private key 1 has the generator as its public key: with r = -e and s = 1 the sum is the point at infinity.
generator = {name: base64.urlsafe_b64encode(each.to_bytes(32, "big")).rstrip(b"=").decode() for name, each in zip("xy", _G)}
e = int.from_bytes(hashlib.sha256(data).digest(), "big") % _N
print(json.dumps(_holds(generator, data, (_N - e).to_bytes(32, "big") + (1).to_bytes(32, "big"))))
`
  expect(await printed(code)).toEqual([[true, false, false, false], false])
})
