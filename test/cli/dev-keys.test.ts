/** Keys of `svc dev` that act as its identities: what each runs, and with whose credential. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { actingKeys } from '../../src/cli/dev/acting-keys.js'
import { commandLine, runAt, type Ran, type RunAs } from '../../src/cli/dev/run-as.js'
import { capability, input } from '../runtime/fixture/manifest.js'

let root: string
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'svc-dev-keys-'))))
afterEach(() => rmSync(root, { recursive: true, force: true }))

const CAPABILITIES = {
  find: capability({ inputs: [input('city')] }),
  book: capability({ inputs: [input('quote_id'), input('seats', { type: 'integer' }), input('note', { required: false })] }),
} // prettier-ignore
const SAMPLES = 'find: { city: New York }\nbook: { seats: 2 }\n'
const FOUND: Ran = { status: 0, output: '{"quotes": [{"quote_id": "q1", "note": "n"}]}' }
const WAITS: Ran = { status: 4, output: '' }
const BOOKED: Ran = { status: 0, output: '{"booking": "b1"}' }

/** The keys, what they ran, and what they said; each command ends as it is said here. */
function acting(samples: string | undefined, ...ends: readonly Ran[]) {
  if (samples !== undefined) writeFileSync(join(root, 'samples.yaml'), samples)
  const [ran, said, left] = [[] as string[], [] as string[], [...ends]]
  const run: RunAs = async (credential, words) => {
    ran.push([credential.replace('.svc-dev/', ''), ...words].join(' '))
    return left.shift() ?? { status: 0, output: '{}' }
  }
  const keys = actingKeys(root, (line) => said.push(line))
  return { ran, said, run, keys, call: () => keys.call(run, CAPABILITIES) }
}

it('makes the sample calls in turn; a required input that is left out is that of an earlier answer', async () => {
  const { ran, call } = acting(SAMPLES, FOUND, BOOKED)
  await call()
  expect(ran).toEqual(['agent.token call find city=New York', 'agent.token call book quote_id=q1 seats:=2'])
})

it('makes a call that needs an approval again, and then begins anew', async () => {
  const { ran, said, call } = acting(SAMPLES, FOUND, WAITS, BOOKED)
  await call()
  expect(said).toEqual(['To approve it, press a, then y. Then press s again.'])
  await call()
  await call()
  expect(ran.slice(1)).toEqual([
    'agent.token call book quote_id=q1 seats:=2',
    'agent.token call book quote_id=q1 seats:=2',
    'agent.token call find city=New York',
    'agent.token call book seats:=2',
  ])
})

it('begins anew after a refusal', async () => {
  const { ran, call } = acting(SAMPLES, { status: 1, output: '' })
  await call()
  await call()
  expect(ran.slice(0, 2)).toEqual(['agent.token call find city=New York', 'agent.token call find city=New York'])
})

it.each([undefined, '{}'])('says where sample calls are written, where there are none (%j)', async (samples) => {
  const { ran, said, call } = acting(samples)
  await call()
  expect([ran, said]).toEqual([[], ['samples.yaml holds no calls. Write one, such as get_status: {}']])
})

it('refuses samples that are none, and goes on', async () => {
  const { ran, keys, run, call } = acting('find: 1\n')
  await expect(call()).rejects.toThrow('samples.yaml must hold samples')
  await keys.trail(run)
  expect(ran).toEqual(['auditor.key audit list'])
})

it('shows the request that has waited longest, and decides it once', async () => {
  const list = { status: 0, output: '{"approval_requests": [{"approval_request_id": "new"}, {"approval_request_id": "old"}]}' } // prettier-ignore
  const { ran, said, keys, run } = acting(undefined, list, BOOKED, BOOKED, list, BOOKED, BOOKED, WAITS)
  await keys.approve(run)
  for (const decide of [keys.approve, keys.deny]) {
    await keys.show(run)
    await decide(run)
    await decide(run)
  }
  await keys.show(run)
  await keys.approve(run)
  expect(ran).toEqual([
    'approver.key approvals list --json',
    'approver.key approvals show old',
    'approver.key approvals approve old',
    'approver.key approvals list --json',
    'approver.key approvals show old',
    'approver.key approvals deny old',
    'approver.key approvals list --json',
    'approver.key approvals list',
  ])
  expect(said).toEqual(['Approve it? y or n', 'Approve it? y or n'])
})

it('does nothing at a key that is pressed while another runs', async () => {
  const { ran, keys, run } = acting(undefined)
  await Promise.all([keys.trail(run), keys.trail(run)])
  await keys.trail(run)
  expect(ran).toEqual(['auditor.key audit list', 'auditor.key audit list'])
})

it.each([
  ['http://127.0.0.1:4100', "SVC_TOKEN_FILE=.svc-dev/agent.token npx svc call find 'city=New York'"],
  ['http://127.0.0.1:4101', "SVC_URL=http://127.0.0.1:4101 SVC_TOKEN_FILE=.svc-dev/agent.token npx svc call find 'city=New York'"],
])('prints the command as it is typed, for %s', (url, line) => {
  expect(commandLine(url, '.svc-dev/agent.token', ['call', 'find', 'city=New York'])).toBe(line)
}) // prettier-ignore

it('runs the command that it prints, in the folder of the service', async () => {
  writeFileSync(join(root, 'svc.yaml'), 'x')
  const said: string[] = []
  const { status, output } = await runAt(root, 'http://127.0.0.1:4100', (line) => said.push(line))('none', ['fmt', '--check', 'none.yaml']) // prettier-ignore
  expect([status, output, said]).toEqual([2, '', ['\n$ SVC_TOKEN_FILE=none npx svc fmt --check none.yaml']])
})
