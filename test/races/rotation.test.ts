import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generatePrivateJwk } from '../../src/crypto/keys/key-ring.js'
import { storedKeyOf } from '../../src/crypto/keys/stored-key.js'
import { readStoredKeyFiles, writeKeyFile } from '../../src/runtime/keys/key-directory.js'
import { child, invoke, root } from './acts.js'
import { createWorld, DEPLOYMENTS, LAPSING, type Reply, type World } from './world.js'

/** A new key of every role, published now and active in a while; the old ones sign until then. */
async function rotate(directory: string, inMs: number): Promise<void> {
  const now = Date.now()
  for (const key of await readStoredKeyFiles(directory)) {
    if (key.retiredFrom !== undefined) continue
    await writeKeyFile(directory, { ...storedKeyOf(generatePrivateJwk(), key.role, now), activeFrom: now + inMs })
    await writeKeyFile(directory, { ...key, retiredFrom: now + inMs, verifyUntil: now + 3_600_000 })
  }
}

describe.each(DEPLOYMENTS)('key rotation on $name', (deployment) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(deployment, undefined, LAPSING)
  })
  afterAll(() => world.end())

  it('R21: refuses nobody, twice in a row under load', async () => {
    const old = await root(world)
    const refused: Reply[] = []
    let calls = 0
    const stop = new AbortController()
    const client = async (n: number): Promise<void> => {
      while (!stop.signal.aborted) {
        const parent = calls % 3 === 0 ? old : await root(world, {}, n + calls)
        const token = calls % 2 === 0 ? parent : await child(world, parent, {}, n + calls + 1)
        const reply = await invoke(world, n + calls, 'look', token)
        if (reply.status !== 200) refused.push(reply)
        calls += 1
      }
    }
    const clients = Array.from({ length: 8 }, (_, n) => client(n))
    for (let n = 0; n < 2; n++) {
      await sleep(300)
      await rotate(world.keys, 2500)
      await sleep(4000)
    }
    stop.abort()
    await Promise.all(clients)
    expect(refused).toEqual([])
    expect(calls).toBeGreaterThan(100)
    const { body } = await world.get(0, '/.well-known/jwks.json')
    expect(body['keys']).toHaveLength(9)
  })
})
