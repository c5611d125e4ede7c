/** Of which lists a client is told that they changed: of one that it was shown, once, while its file changes. */
import { mkdtempSync, rmSync, unwatchFile, watchFile, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { listChanges } from '../../../src/runtime/surfaces/mcp/list-changes.js'

/** A file that is watched for a client, what the client is told, and the way to change the file and wait until that was seen. */
async function watched(listed: (told: ReturnType<typeof listChanges>) => readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-list-'))
  const file = join(folder, 'token')
  const asked: (readonly string[])[] = []
  let announced = 0
  const changes = listChanges(
    file,
    async () => {
      asked.push([])
      const names = listed(changes)
      asked[asked.length - 1] = names
      return names
    },
    async () => void announced++,
  )
  let seen = (): void => undefined
  const next = () => new Promise<void>((resolve) => (seen = resolve))
  // Whoever watches a file first is told first; of one that is not there, once at the beginning.
  watchFile(file, { interval: 1000 }, () => setImmediate(() => seen()))
  const begun = next()
  onTestFinished(() => {
    changes.stop()
    unwatchFile(file)
    rmSync(folder, { recursive: true })
  })
  await begun
  let size = 0
  const change = async () => {
    const saw = next()
    writeFileSync(file, 'x'.repeat(++size))
    await saw
    return { asked, announced }
  }
  return { changes, change }
}

it('of none where it was never shown one', async () => {
  const { change } = await watched(() => ['search'])
  expect(await change()).toEqual({ asked: [], announced: 0 })
})

it('of one with other names, and not of the same names in another order', async () => {
  const lists = [['pay', 'search'], ['search'], ['search']]
  const { changes, change } = await watched(() => lists.shift()!)
  changes.shown(['search', 'pay'])
  expect((await change()).announced).toBe(0)
  expect((await change()).announced).toBe(1)
  expect(await change()).toEqual({ asked: [['pay', 'search'], ['search'], ['search']], announced: 1 })
})

it('not of one that it has asked for meanwhile', async () => {
  const { changes, change } = await watched((told) => (told.shown(['search']), ['search']))
  changes.shown(['pay'])
  expect(await change()).toEqual({ asked: [['search']], announced: 0 })
})

it('of the next one where a list could not be made', async () => {
  let tries = 0
  const { changes, change } = await watched(() => {
    if (tries++ === 0) throw new Error('The store is away.')
    return ['search']
  })
  changes.shown(['pay'])
  expect((await change()).announced).toBe(0)
  expect((await change()).announced).toBe(1)
})

it('of none once it has gone', async () => {
  const { changes, change } = await watched(() => ['search'])
  changes.shown(['pay'])
  changes.stop()
  expect(await change()).toEqual({ asked: [], announced: 0 })
})
