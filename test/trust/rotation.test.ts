import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { signerFor } from '../../src/crypto/keys/key-ring.js'
import { maintain } from '../../src/runtime/index.js'
import { readKeyRing, writeNewKeys } from '../../src/runtime/keys/key-directory.js'
import { startFixture } from '../runtime/fixture/service.js'
import { svc } from './command.js'

let keys = ''
beforeEach(async () => {
  keys = join(mkdtempSync(join(tmpdir(), 'svc-rotation-')), 'keys')
  await writeNewKeys(keys, ['manifest', 'tokens', 'audit'], Date.now())
})
afterEach(() => rmSync(join(keys, '..'), { recursive: true }))

const kidOf = (jwt: string): string =>
  (JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
/** Ends in any case: what waited on would go on behind a test that has failed, and keep the run from ending. */
const until = async (holds: () => boolean | Promise<boolean>) => {
  const end = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`It did not come about within a minute: ${holds}`)
    await pause(20)
  }
}

it('V15: one command rotates the token key under load without a refused call; a retired key is refused', async () => {
  const ring = await readKeyRing(keys)
  const old = signerFor(ring, 'tokens').kid
  const { service, root, invoke } = await startFixture({ keys: ring, clock: Date.now, limits: { leaseMs: 100 } })
  const rest = maintain(service)
  const first = (await root()).token
  const issued = [first]
  const refusals: unknown[] = []
  let calls = 0
  const isOver = { value: false }
  const load = async () => {
    for (; !isOver.value; calls++) {
      const { status, body } = await invoke('search', issued[calls % issued.length]!)
      if (status !== 200) refusals.push(body)
      if (calls % 20 === 0) issued.push((await root()).token)
      await pause(2)
    }
  }
  const clients = [load(), load(), load()]
  // A test that fails ends its load, too.
  onTestFinished(() => void (isOver.value = true))
  onTestFinished(rest)
  await pause(150)
  expect(await svc('keys', 'rotate', '--dir', keys, '--role', 'tokens', '--lead', 'PT1S')).toMatchObject({ code: 0 })
  await until(() => kidOf(issued.at(-1)!) !== old)
  const before = calls
  await until(() => calls > before + 100)
  isOver.value = true
  await Promise.all(clients)
  expect(refusals).toEqual([])
  expect(new Set(issued.map(kidOf)).size).toBe(2)
  expect(kidOf((await root()).token)).not.toBe(old)

  await svc('keys', 'retire', old, '--dir', keys)
  await until(async () => (await invoke('search', first)).status !== 200)
  expect((await invoke('search', first)).body['failure']).toMatchObject({ type: 'invalid_token' })
  expect((await invoke('search', issued.at(-1)!)).status).toBe(200)
})
