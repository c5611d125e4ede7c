import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { build } from '../../src/cli/generate/run.js'
import { init } from '../../src/cli/init/run.js'

const PYTHON = 'python3'
let root: string
let folder: string
let server: ChildProcess
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true)
  root = mkdtempSync(join(tmpdir(), 'svc-python-'))
  folder = join(root, 'travel')
  await init(folder, { yes: true, template: 'travel' })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
  await build(folder, { check: false, force: false })
  vi.restoreAllMocks()
  const keys = Object.fromEntries(
    [...readFileSync(join(folder, '.env'), 'utf8').matchAll(/^(\w+)=(.+)$/gmu)].map(([, name = '', key = '']) => [name, key]), // prettier-ignore
  )
  await startServer()
  env = { ...process.env, ...keys, SVC_URL: url, PYTHONPATH: join(folder, 'dist/python'), PYTHONDONTWRITEBYTECODE: '1' }
}, 120_000)

let url = ''
let port = '0'
async function startServer(): Promise<void> {
  server = spawn(process.execPath, ['dist/server.mjs'], {
    cwd: folder,
    env: { ...process.env, PORT: port },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  url = await new Promise((found) => {
    server.stdout?.on('data', (data: Buffer) => {
      const address = /listens on (http\S+)/u.exec(data.toString())?.[1]
      if (address !== undefined) found(address)
    })
  })
  port = new URL(url).port
}

async function stopServer(): Promise<void> {
  server.kill()
  await once(server, 'exit')
}

afterAll(async () => {
  await stopServer()
  rmSync(root, { recursive: true, force: true })
})

const python = (...words: readonly string[]): string =>
  execFileSync(PYTHON, words, { env, cwd: root, encoding: 'utf8' })
const run = (code: string): string => python('-W', 'error', '-c', code).trim()

const AGENT = `
import os
from travel_client import *
developer = Client(os.environ["SVC_URL"], os.environ["SVC_DEVELOPER_KEY"])
delegated = developer.delegate(["travel.search"], subject="agent:assistant")
agent = delegated.client
`

describe('the client for Python, against a built service', () => {
  it('runs the example: over budget, asked, approved by another, and gone on after a restart of both sides', async () => {
    const example = resolve('examples/agents/python/agent.py')
    const pending = join(root, 'pending.json')
    expect(python(example, 'ask', pending)).toMatch(
      /^found \d flights\nover budget: \('budget_exceeded', 'request_budget_increase'\)\nfound \d flights\nwaits for approval_required\n$/u,
    )
    await stopServer()
    await startServer()
    expect(python(example, 'approve', pending)).toBe('approved: True\n')
    expect(python(example, 'resume', pending)).toBe('booked once: True\n')
  })

  it('gives refusals as values, with what to do', () => {
    const code = `${AGENT}
refused = agent.book_flight({"quote_id": "q", "passengers": 1})
print(refused.type, refused.resolution.action, refused.resolution.recovery_class, refused.invocation_id[:4], refused.retry)
print(agent.search_flights({"origin": "LIS"}).type)`
    expect(run(code)).toBe(
      'scope_insufficient request_broader_scope redelegation_then_retry inv- False\ninvalid_parameters',
    )
  })

  it('narrows its own token, reads permissions and the trail, and revokes', () => {
    const code = `${AGENT}
child = agent.delegate(["travel.search"], ttl_hours=0.5)
print(child.success, len(agent.permissions()["available"]) > 0, agent.audit(capability="search_flights", success=True)["count"])
print(agent.revoke(child.token["token_id"])["revoked"], child.client.permissions().type)`
    expect(run(code)).toBe('True True 2\nTrue token_revoked')
  })

  it('verifies the manifest by a pinned key, and believes no other', () => {
    const jwks = JSON.parse(readFileSync(join(folder, 'dist/jwks.json'), 'utf8')) as { keys: { kid: string }[] }
    const pinned = JSON.stringify(jwks.keys.map(({ kid }) => kid))
    const code = `${AGENT}
print(agent.manifest(${pinned})["service_identity"]["id"])
for keys, now in ((["other"], None), (${pinned}, 4e9)):
    try: agent.manifest(keys, now)
    except TransportError as error: print(str(error).split(",")[0][:44])`
    expect(run(code)).toBe(
      'travel\nThe manifest is not verified: it is signed b\nThe manifest is not verified: it expired at',
    )
  })

  it('believes no byte of a manifest that was not signed, and no key that is not what its name says', () => {
    const code = `
import json, pathlib
from travel_client._es256 import verified_manifest
folder = pathlib.Path(${JSON.stringify(join(folder, 'dist'))})
body, jws = (folder / "manifest.json").read_bytes(), (folder / "manifest.jws").read_text().strip()
jwks = json.loads((folder / "jwks.json").read_text())
kid = json.loads(__import__("base64").urlsafe_b64decode(jws.split(".")[0] + "=="))["kid"]
key = next(each for each in jwks["keys"] if each["kid"] == kid)
other = next(each for each in jwks["keys"] if each["kid"] != kid)
def said(body=body, jws=jws, keys=jwks):
    try: return len(verified_manifest(body, jws, keys, [kid], 0)) > 0
    except ValueError as error: return str(error).split(":")[0]
last = "A" if jws[-10] != "A" else "B"
print(said(), said(body=body.replace(b"travel", b"gravel")), said(jws=jws[:-10] + last + jws[-9:]), said(keys={"keys": [{**other, "kid": kid}]}), sep="\\n")`
    expect(run(code).split('\n')).toEqual([
      'True',
      'its signature does not hold',
      'its signature does not hold',
      expect.stringContaining('the service publishes no key'),
    ])
  })

  it('refuses a manifest of a newer version, and fields and words that it does not know', () => {
    const code = `
import copy, json, pathlib
from travel_client._supported import assert_supported
manifest = json.loads((pathlib.Path(${JSON.stringify(join(folder, 'dist'))}) / "manifest.json").read_text())
def said(change):
    changed = copy.deepcopy(manifest)
    change(changed, changed["capabilities"]["book_flight"])
    try: return assert_supported(changed)
    except ValueError as error: return error
print(said(lambda m, c: m.update({"x-own": 1})))
print(said(lambda m, c: m["manifest_metadata"].update(version="0.25.0")))
print(said(lambda m, c: c["approval"].update(veto=True)))
print(said(lambda m, c: c["approval"].update(required="whenever")))
print(said(lambda m, c: c["cost"]["financial"].update(fee=1)))
print(said(lambda m, c: m["trust"].update({"": 1, "=": 2})))`
    expect(run(code).split('\n')).toEqual([
      'None',
      'it is of version 0.25.0, which this client does not support; generate it anew with a newer svc',
      'it has the field veto in capabilities.book_flight.approval, which this client does not support',
      'it says whenever as capabilities.book_flight.approval.required, which this client does not support',
      'it has the field fee in capabilities.book_flight.cost.financial, which this client does not support',
      'it has the field  in trust, which this client does not support',
    ])
  })

  it('sends no credential in the clear, follows no redirect, and says when nobody answers', () => {
    const code = `${AGENT}
import http.server, threading
class Elsewhere(http.server.BaseHTTPRequestHandler):
    def do_POST(self): self.send_response(307); self.send_header("Location", "http://127.0.0.1:1/"); self.end_headers()
    def log_message(self, *_): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Elsewhere)
threading.Thread(target=server.serve_forever, daemon=True).start()
for make in (lambda: Client("http://flights.example", "key"), lambda: Client(f"http://127.0.0.1:{server.server_port}", "key", retries=0).permissions(),
             lambda: Client("http://127.0.0.1:1", "key", retries=0).permissions()):
    try: make()
    except (ValueError, TransportError) as error: print(type(error).__name__, "in the clear" in str(error), "redirect" in str(error), "no answer" in str(error))`
    expect(run(code)).toBe(
      'ValueError True False False\nTransportError False True False\nTransportError False False True',
    )
  })

  it('resumes no call of another capability', () => {
    const code = `${AGENT}
try: agent.resume_book_flight(Pending("refund_booking", {}, "apr_1", "key"))
except ValueError as error: print(error)`
    expect(run(code)).toBe('The pending call is one of refund_booking, not of book_flight.')
  })
})

it('knows the failures that any call may meet, as the client for TypeScript does', () => {
  const wordsIn = (text: string, from: string, to: string): readonly string[] =>
    [...text.slice(text.indexOf(from), text.indexOf(to, text.indexOf(from))).matchAll(/['"](\w+)['"]/gu)].map((each) => each[1]!) // prettier-ignore
  const core = readFileSync('templates/python/_core.py', 'utf8')
  const outcome = readFileSync('src/client/outcome.ts', 'utf8')
  expect(wordsIn(core, 'CallRefusal = Literal[', ']')).toEqual(wordsIn(outcome, 'export type CallRefusal =', '\n\n'))
})
