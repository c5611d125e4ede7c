import { expect, it, onTestFinished } from 'vitest'
import { answerOverHttp } from '../../src/runtime/http/answer.js'
import { listen, nodeServer } from '../../src/runtime/http/server.js'
import { capability, input, manifestOf } from '../runtime/fixture/manifest.js'
import { startFixture } from '../runtime/fixture/service.js'
import { pythonPackageOf } from './package.js'

const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore
const capabilities = {
  book: capability({
    inputs: [input('seat')],
    output: { type: 'object', fields: [{ name: 'booked', type: 'string', description: 'The seat.' }] },
    side_effect: { type: 'write', rollback_window: 'PT1H' },
    approval: { required: 'always', grant_policy },
    response_modes: ['streaming'],
  }),
}

/** A service whose one capability only streams, and needs an approval each time; and programs that use it. */
async function start() {
  const effects: string[] = []
  const book = async ({ seat }: { seat: string }, { progress }: { progress: (payload: unknown) => Promise<void> }) => {
    await progress('looked')
    effects.push(seat)
    await progress('booked')
    return { booked: seat }
  }
  const fixture = await startFixture({ capabilities, handlers: { book }, clock: Date.now })
  const server = nodeServer(answerOverHttp(fixture.service), fixture.service.limits)
  const { port } = await listen(server, '127.0.0.1', 0)
  onTestFinished(() => (server.close(), server.closeAllConnections()))
  const { token } = await fixture.root()
  const { run } = pythonPackageOf(manifestOf(capabilities))
  const program = (code: string) => run(`${HEAD}${code}`, { SVC_URL: `http://127.0.0.1:${port}`, TOKEN: token })
  return { effects, program }
}

const HEAD = `
import json, os, threading
from flights_client import *
client = Client(os.environ["SVC_URL"], os.environ["TOKEN"])
bob = Client(os.environ["SVC_URL"], "bob-key")
`

it('a call that only streams is approved while it waits, and its progress is seen', async () => {
  const { effects, program } = await start()
  expect(
    await program(`
asked = client.stream_book({"seat": "1A"}).outcome()
assert not asked.success and asked.pending is not None
print(asked.type)
stream = client.stream_book({"seat": "1B"}, CallOptions(wait=30))
def approve_next():
    while True:
        held = client.audit(capability="book", limit=20)
        ids = {each.get("approval_request_id") for each in held["entries"]} - {asked.pending.approval_request_id, None}
        if ids: return bob.grant(ids.pop())
threading.Thread(target=approve_next).start()
print([step.payload for step in stream], stream.outcome().result)`),
  ).toBe("approval_required\n['looked', 'booked'] {'booked': '1B'}")
  expect(effects).toEqual(['1B'])
})

it('what only streams is resumed by another process, twice, with one effect', async () => {
  const { effects, program } = await start()
  const pending = await program(`
asked = client.book({"seat": "2A"}, CallOptions(task_id="trip", client_reference_id="ref-1", idempotency_key="key-1"))
print(asked.pending.to_json())`)
  expect(JSON.parse(pending)).toMatchObject({ capability: 'book', idempotency_key: 'key-1', lineage: { task_id: 'trip' } }) // prettier-ignore
  const resumed = await program(`
pending = Pending.from_json(${JSON.stringify(pending)})
print(client.resume_book(pending, 0.1).type)
bob.grant(pending.approval_request_id)
first, again = client.resume_book(pending, 20), client.resume_book(pending, 20)
print(first.result, again.invocation_id == first.invocation_id)`)
  expect(resumed).toBe("approval_required\n{'booked': '2A'} True")
  expect(effects).toEqual(['2A'])
})

it('the same streaming call goes on under its approval, and opens no second request', async () => {
  const { effects, program } = await start()
  expect(
    await program(`
asked = client.stream_book({"seat": "3A"}).outcome()
bob.grant(asked.pending.approval_request_id)
print([step.payload for step in client.stream_book({"seat": "3A"})])
opened = {each.get("approval_request_id") for each in client.audit(capability="book")["entries"]} - {None}
print(len(opened))`),
  ).toBe("['looked', 'booked']\n1")
  expect(effects).toEqual(['3A'])
})

it('a denial, and a request that is taken back, end the stream as an outcome', async () => {
  const { effects, program } = await start()
  expect(
    await program(`
asked = client.stream_book({"seat": "4A"}).outcome()
bob.deny(asked.pending.approval_request_id, "Too late.")
denied = client.resume_book(asked.pending, 20)
print(denied.type, denied.detail)
other = client.stream_book({"seat": "4B"}).outcome()
client.withdraw(other.pending.approval_request_id)
print(client.resume_book(other.pending, 20).detail)`),
  ).toMatch(
    /^approval_denied Denied by a person: Too late\.\nApproval request \S+ was withdrawn\. The same call opens a new one\.$/u,
  )
  expect(effects).toEqual([])
})
