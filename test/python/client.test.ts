import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { build } from '../../src/cli/build/run.js'
import { init } from '../../src/cli/init/run.js'

/** Another than the system's: `PYTHON=python3.10 npx vitest run test/python`. */
const PYTHON = process.env['PYTHON'] ?? 'python3'
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
    env: { ...process.env, PORT: port, SVC_DEVELOPMENT: 'true' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  url = await new Promise((found, failed) => {
    server.once('exit', (code) => failed(new Error(`The server ended with ${code}.`)))
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
  rmSync(root, { recursive: true, force: true, maxRetries: 20 })
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
    const asked = python(example, 'ask', pending)
    await stopServer()
    await startServer()
    const printed = [asked, python(example, 'approve', pending), python(example, 'resume', pending)]
    expect(printed).toEqual([
      "found 3 flights\nover budget: ('budget_exceeded', 'request_budget_increase')\nfound 3 flights\nwaits for approval_required\n",
      'approved: True\n',
      'booked once: True\n',
    ])
    const page = readFileSync('examples/agents/python/README.md', 'utf8')
    expect(page).toContain(`\n\`\`\`text\n${printed.join('')}\`\`\`\n`)
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

  it('goes through no proxy over plain http, and shows no token', () => {
    const code = `${AGENT}
for name in ("http_proxy", "HTTP_PROXY", "all_proxy"): os.environ[name] = "http://127.0.0.1:1"
for name in ("no_proxy", "NO_PROXY"): os.environ.pop(name, None)
import urllib.request
assert urllib.request.getproxies()["http"] and not urllib.request.proxy_bypass("127.0.0.1")
print(type(Client(os.environ["SVC_URL"], delegated.token["token"]).permissions()).__name__)
shown = repr(delegated) + repr(delegated.client) + str(vars(TransportError("x")))
print(delegated.token["token"] in shown, "token" in repr(delegated))`
    expect(run(code)).toBe('dict\nFalse False')
  })

  it('resumes no call of another capability', () => {
    const code = `${AGENT}
try: agent.resume_book_flight(Pending("refund_booking", {}, "apr_1", "key"))
except ValueError as error: print(error)`
    expect(run(code)).toBe('The pending call is one of refund_booking, not of book_flight.')
  })
})

/** A server that answers what it is told to, one answer after another; `asked` holds what came. */
const FAKE = `
import http.server, json, sys, threading, time
from travel_client import *
answers, asked = [], []
class Fake(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        asked.append((self.path, dict(self.headers), json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"null")))
        status, headers, parts = answers.pop(0) if len(answers) > 1 else answers[0]
        self.send_response(status)
        for name, value in {"Connection": "close", **headers}.items(): self.send_header(name, value)
        self.end_headers()
        try:
            for part in parts: self.wfile.write(part); self.wfile.flush()
        except OSError: pass
        self.close_connection = True
    do_GET = do_POST
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Fake)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = Client(f"http://127.0.0.1:{server.server_port}", "key")
JSON = {"Content-Type": "application/json"}
def body(value): return [json.dumps(value).encode()]
def refusal(type, recovery, action="wait", retry=True):
    return {"success": False, "invocation_id": "inv-1", "failure": {"type": type, "detail": "d", "retry": retry, "resolution": {"action": action, "recovery_class": recovery}}}
done = {"success": True, "invocation_id": "inv-2", "result": {"flights": []}}
`

describe('the client for Python, against a server of its own', () => {
  it('repeats what the recovery class says may pass, with the same key, and nothing else', () => {
    const code = `${FAKE}
def said(first, status=503, call=lambda: client.book_flight({"quote_id": "q", "passengers": 1})):
    asked.clear(); answers[:] = [(status, JSON, body(first)), (200, JSON, body(done))]
    outcome = call()
    return outcome.success, len(asked), len({headers.get("Idempotency-Key") for _, headers, _ in asked})
print(said(refusal("service_unavailable", "wait_then_retry")))
print(said(refusal("concurrent_request_rejected", "retry_now"), 409))
print(said(refusal("budget_exceeded", "redelegation_then_retry", retry=False), 403))
print(said(refusal("rate_limited", "wait_then_retry", "provide_credentials"), 429))
print(said(refusal("invalid_parameters", "revalidate_then_retry"), 400))
print(said(refusal("service_unavailable", "wait_then_retry"), call=lambda: client.search_flights({"origin": "LIS", "destination": "BER", "date": "2030-05-01"})))`
    expect(run(code).split('\n')).toEqual([
      '(True, 2, 1)',
      '(True, 2, 1)',
      '(False, 1, 1)',
      '(False, 1, 1)',
      '(False, 1, 1)',
      '(True, 2, 1)',
    ])
  })

  it('iterates over the progress of a stream while it comes, and gives its outcome', () => {
    const code = `${FAKE}
SSE = {"Content-Type": "text/event-stream"}
def event(name, value): return f"event: {name}\\ndata: {json.dumps(value)}\\n\\n".encode()
def progress(n): return event("progress", {"invocation_id": "inv-2", "timestamp": "t", "payload": {"n": n}})
moments = []
def slowly():
    for n in (1, 2):
        yield progress(n)
        time.sleep(0.3)
    moments.append(time.monotonic())
    yield event("completed", done)
from travel_client._core import Registration
SEARCH = Registration("search_flights", changes=False, approvable=False)
def stream(parts):
    answers[:] = [(200, SSE, parts)]
    return client._stream(SEARCH, {}, CallOptions())
streamed = stream(slowly())
first = None
for each in streamed:
    first = first or time.monotonic()
    print(each.payload)
print(first < moments[0], streamed.outcome().success, asked[-1][2]["stream"])
print(stream([event("failed", refusal("handler_error", "terminal", retry=False))]).outcome().type)
answers[:] = [(403, JSON, body(refusal("scope_insufficient", "redelegation_then_retry", retry=False)))]
print(client._stream(SEARCH, {}, CallOptions()).outcome().type)
for parts in ([progress(1)], [b"data: {"], [b"data: []\\n\\n"], [b"data: " + b"[" * 100000 + b"\\n\\n"], [event("completed", {})], [b"\\xff\\n"]):
    try: stream(parts).outcome()
    except TransportError: print("TransportError")`
    expect(run(code).split('\n')).toEqual([
      "{'n': 1}",
      "{'n': 2}",
      'True True True',
      'handler_error',
      'scope_insufficient',
      ...Array.from({ length: 6 }, () => 'TransportError'),
    ])
  })

  it('raises nothing but TransportError, whatever a hostile server answers', () => {
    const code = `${FAKE}
client = Client(client._base_url if hasattr(client, "_base_url") else f"http://127.0.0.1:{server.server_port}", "key", retries=0, timeout=1.0)
deep = b"[" * 200000
bad = [
    (200, JSON, [b""]), (200, JSON, [b"{"]), (200, JSON, [b"null"]), (200, JSON, [b"[]"]), (200, JSON, [deep]), (200, JSON, [b'{"success": true}']),
    (500, JSON, [b"<html>"]), (403, JSON, body({"failure": "no"})), (403, JSON, body({"failure": {"type": "x"}})),
    (403, JSON, body({"failure": {"type": "x", "detail": 1, "resolution": {}}})), (403, JSON, body({"failure": {"type": "x", "detail": "d", "resolution": {"action": [], "recovery_class": {}}}})),
    (200, {"Content-Type": "application/json", "Content-Length": "100"}, [b"{"]), (302, {"Location": "http://127.0.0.1:1/"}, []), (200, JSON, [b'\\xff\\xfe']),
]
for answer in bad:
    for ask in (lambda: client.book_flight({"quote_id": "q", "passengers": 1}), client.permissions, lambda: client.manifest(["k"]), lambda: client.delegate(["a"])):
        answers[:] = [answer]
        try: ask()
        except TransportError as error: assert "key" not in str(error).replace("publishes no key", "").replace("pinned key", ""), error
print("nothing else")
def endless():
    while True: yield b" " * 65536
answers[:] = [(200, JSON, endless())]
# What the system counts for a process begins with what the one that started it had; its own peak is in its status.
peak = lambda: next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM:"))
try: client.permissions()
except TransportError: print("bounded", peak() < 400_000)`
    expect(run(code).split('\n')).toEqual(['nothing else', 'bounded True'])
  })
})

const LIMITED = `${FAKE}
import io
from travel_client._core import Registration
BOOK = Registration("book_flight", changes=True, approvable=True)
SSE = {"Content-Type": "text/event-stream"}
url = f"http://127.0.0.1:{server.server_port}"
def endless(part, pause=0.0):
    while True:
        yield part
        time.sleep(pause)
def said(ask):
    begun = time.monotonic()
    try: ask()
    except TransportError as error: print(error, time.monotonic() - begun < 20)
`

describe('what a service of Python clients may cost them', () => {
  it.each([
    ['a flood of steps', 'b\'event: progress\\ndata: {"invocation_id": "inv-1", "timestamp": "t", "payload": 1}\\n\\n\' * 500', '', 'The stream is longer than 3000000 bytes (max_stream_bytes)'],
    ['a flood of comments', 'b": beat\\n\\n" * 5000', '', 'The stream is longer than 3000000 bytes (max_stream_bytes)'],
    ['a flood of ends of lines', 'b"\\n" * 50000', '', 'The stream is longer than 3000000 bytes (max_stream_bytes)'],
    ['an event without end', 'b"data: xxxxxxxx" * 500', '', 'The stream has an event of more than 100000 bytes (max_answer_bytes)'],
    ['a heart that beats for ever', 'b": beat\\n\\n"', '0.05', 'The stream took longer than 2 s (stream_timeout)'],
    ['an event that drips', 'b"d"', '0.05', 'The stream broke off: timed out'],
  ])('%s ends by itself', (_, part, pause, message) => {
    const code = `${LIMITED}
client = Client(url, "key", retries=0, timeout=1.0, stream_timeout=${pause === '' ? 60.0 : 2.0}, max_answer_bytes=100_000, max_stream_bytes=3_000_000)
answers[:] = [(200, SSE, endless(${part}, ${pause || '0.0'}))]
said(lambda: client._stream(BOOK, {}, CallOptions()).outcome())`
    expect(run(code)).toBe(`${message}; the trail says what became of the call. True`)
  })

  it('a head that drips has no more time than one that does not come', () => {
    const code = `${LIMITED}
import socket
plain = socket.create_server(("127.0.0.1", 0))
def drip():
    while True:
        taken, _ = plain.accept()
        try:
            taken.sendall(b"HTTP/1.1 200 OK\\r\\nX-Long: ")
            while True: taken.sendall(b"x"); time.sleep(0.1)
        except OSError: pass
threading.Thread(target=drip, daemon=True).start()
slow = Client(f"http://127.0.0.1:{plain.getsockname()[1]}", "key", retries=0, timeout=1.0)
said(lambda: slow.permissions())`
    expect(run(code)).toMatch(/ gave no answer: timed out\. True$/u)
  })

  it('one who reads slowly is not late: the service is', () => {
    const code = `${LIMITED}
client = Client(url, "key", retries=0, timeout=0.5)
step = b'event: progress\\ndata: {"invocation_id": "inv-2", "timestamp": "t", "payload": 1}\\n\\n'
answers[:] = [(200, SSE, [step, step, b"event: completed\\ndata: " + body(done)[0] + b"\\n\\n"])]
stream = client._stream(BOOK, {}, CallOptions())
for _ in stream: time.sleep(0.8)
print(stream.outcome().success)`
    expect(run(code)).toBe('True')
  })

  it.each([
    ['of another request', '{"approval_request_id": "apr_2", "capability": "book_flight", "status": "pending"}', 'for another approval request than apr_1'],
    ['of another capability', '{"approval_request_id": "apr_1", "capability": "refund", "status": "approved", "grant_id": "g"}', 'for another approval request'],
    ['without a status', '{"approval_request_id": "apr_1", "capability": "book_flight", "status": 7}', 'without the status of the approval request'],
    ['that is a list', '[]', 'without a JSON object of the interface'],
    ['that is empty', '{}', 'without the status of the approval request'],
  ])('an approval %s is asked for once, and the call can be resumed', (_, answer, message) => {
    const code = `${LIMITED}
answers[:] = [(200, JSON, [b${JSON.stringify(answer).replaceAll('\\"', '\\"')}])]
pending = Pending("book_flight", {}, "apr_1", "key-1")
try: client._resume(BOOK, pending, None)
except TransportError as error: print(error, error.pending == pending, len(asked))`
    expect(run(code)).toMatch(new RegExp(`${message}.* True 1$`, 'u'))
  })

  it('a limit that would refuse everything, or nothing, is refused', () => {
    const code = `${LIMITED}
for name in ("timeout", "stream_timeout", "max_answer_bytes", "max_stream_bytes"):
    try: Client(url, "key", **{name: 0})
    except ValueError as error: print(error)`
    expect(run(code).split('\n')).toEqual(
      ['timeout', 'stream_timeout', 'max_answer_bytes', 'max_stream_bytes'].map((name) => `${name} is 0; it is a number above 0.`),
    )
  })
}) // prettier-ignore

describe('the package for Python', () => {
  it('is what Python 3.10 reads, and takes nothing from later ones', () => {
    const code = `
import ast, pathlib
LATER = {"tomllib", "ExceptionGroup", "BaseExceptionGroup", "TaskGroup", "StrEnum", "Self", "Never", "assert_never", "assert_type", "reveal_type", "LiteralString", "Unpack", "TypeVarTuple", "override", "batched", "UTC", "file_digest", "add_note", "Required", "NotRequired", "dataclass_transform", "timeout_at", "removeprefixes", "chdir"}
for file in sorted((pathlib.Path(${JSON.stringify(join(folder, 'dist/python'))}) / "travel_client").glob("*.py")):
    tree = ast.parse(file.read_text(), feature_version=(3, 10))
    guarded = {inner for node in ast.walk(tree) if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" for inner in ast.walk(node)}
    imported = {alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)) and node not in guarded for alias in node.names}
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not any(isinstance(node, (ast.Match, getattr(ast, "TryStar", ast.Match))) for node in ast.walk(tree)), file
    print(file.name, sorted((imported | used) & LATER))`
    expect(
      run(code)
        .split('\n')
        .map((line) => line.split(' ')[1]),
    ).toEqual(Array.from({ length: 7 }, () => '[]'))
  })

  const pyright = (file: string): readonly string[] => {
    const config = join(root, `${file.replaceAll('/', '-')}.json`)
    const strict = { include: [file], extraPaths: ['travel/dist/python'], typeCheckingMode: 'strict', pythonVersion: '3.10', reportMissingModuleSource: false } // prettier-ignore
    writeFileSync(config, JSON.stringify(strict))
    const { NODE_OPTIONS: _, ...own } = process.env
    const command = [resolve('node_modules/pyright/index.js'), '-p', config, '--outputjson']
    const { stdout } = spawnSync(process.execPath, command, { env: own, encoding: 'utf8' })
    const { generalDiagnostics, summary } = JSON.parse(stdout) as PyrightReport
    expect(summary.filesAnalyzed).toBeGreaterThan(0)
    return generalDiagnostics.map(({ range, rule }) => `${range.start.line + 1} ${rule}`)
  }

  it('is without a finding of pyright, strictly, and so is the example', () => {
    expect(pyright('travel/dist/python')).toEqual([])
    writeFileSync(join(root, 'agent.py'), readFileSync('examples/agents/python/agent.py'))
    expect(pyright('agent.py')).toEqual([])
  })

  it('says in its types what the service demands', () => {
    const uses = [
      'from travel_client import Budget, Client, Refusal',
      'client = Client("http://127.0.0.1:4100", "key")',
      'budget: Budget = {"currency": "EUR", "max_amount": 500, "mode": "cumulative"}',
      'client.delegate(["travel.book"], budget=budget, concurrent_branches="exclusive", max_delegation_depth=1)',
      'client.grant("apr_1", "session_bound", session_id="s", expires_in_seconds=60, max_uses=2, reason="Yes.")',
      'client.grant("apr_1")',
      'client.audit(capability="book_flight", success=True, event_class="high_risk_success", limit=5)',
      'outcome = client.book_flight({"quote_id": "q", "passengers": 1})',
      'found = outcome.type if isinstance(outcome, Refusal) else outcome.result["booking_id"]',
      'wrong: Budget = {"currency": "EUR", "max_amount": 1, "mode": "daily"}',
      'missing: Budget = {"currency": "EUR"}',
      'client.grant("apr_1", "for_ever")',
      'client.grant("apr_1", max_uses="many")',
      'client.grant()',
      'client.delegate()',
      'client.audit(capabilty="book_flight")',
      'client.book_flight({"quote_id": "q", "passengers": 9})',
      'client.book_flight({"quote_id": "q"})',
      'if outcome.success is False and outcome.type == "airport_unknown": print(found)',
    ]
    writeFileSync(join(root, 'uses.py'), `${uses.join('\n')}\n`)
    const found = pyright('uses.py').map((each) => Number(each.split(' ')[0]))
    expect([...new Set(found)]).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
  })
})

interface PyrightReport {
  readonly generalDiagnostics: readonly { readonly range: { readonly start: { readonly line: number } }; readonly rule: string }[]
  readonly summary: { readonly filesAnalyzed: number }
} // prettier-ignore

it('knows the failures that any call may meet, as the client for TypeScript does', () => {
  const wordsIn = (text: string, from: string, to: string): readonly string[] =>
    [...text.slice(text.indexOf(from), text.indexOf(to, text.indexOf(from))).matchAll(/['"](\w+)['"]/gu)].map((each) => each[1]!) // prettier-ignore
  const core = readFileSync('templates/python/_core.py', 'utf8')
  const outcome = readFileSync('src/client/outcome.ts', 'utf8')
  expect(wordsIn(core, 'CallRefusal = Literal[', ']')).toEqual(wordsIn(outcome, 'export type CallRefusal =', '\n\n'))
})
