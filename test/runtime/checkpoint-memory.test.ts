/** What is remembered beside the keys: in files that nobody else reads, one for each log, wherever that can be written. */
import type * as fs from 'node:fs/promises'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { Checkpoint } from '../../src/protocol/audit.js'
import { checkpointMemory } from '../../src/runtime/checkpoints/memory.js'

/** A file system that refuses to make folders, where a test says so. */
const refusing = vi.hoisted(() => ({ code: undefined as string | undefined }))
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>()
  const mkdtemp = async (prefix: string) => {
    if (refusing.code === undefined) return real.mkdtemp(prefix)
    throw Object.assign(new Error(`${refusing.code}: it is refused`), { code: refusing.code })
  }
  return { ...real, mkdtemp }
})

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'svc-memory-'))))
afterEach(() => {
  refusing.code = undefined
  rmSync(folder, { recursive: true, force: true })
})

const LOG = `sha256:${'a'.repeat(64)}`
const checkpointOf = (sequence: number): Checkpoint => ({
  checkpoint_id: `ckp_${sequence}`,
  sequence,
  merkle_root: `sha256:${'b'.repeat(64)}`,
  entry_count: sequence,
  created_at: '2026-03-01T12:00:00.000Z',
  signature: 'header..signature',
})

it.each(['EROFS', 'EACCES', 'EPERM'])('where it cannot be written (%s) nothing is remembered, and it says so', async (code) => {
  refusing.code = code
  const memory = checkpointMemory(folder)
  await memory.keep(LOG, checkpointOf(1))
  expect([await memory.last(LOG), await memory.isWritable!()]).toEqual([undefined, false])
}) // prettier-ignore

it.each(['ENOSPC', 'EIO', 'EDQUOT'])('what is not remembered for another reason (%s) is no checkpoint that is kept', async (code) => {
  const memory = checkpointMemory(folder)
  await memory.keep(LOG, checkpointOf(1))
  refusing.code = code
  await expect(memory.keep(LOG, checkpointOf(2))).rejects.toThrow(code)
  expect([(await memory.last(LOG))?.sequence, await memory.isWritable!()]).toEqual([1, false])
}) // prettier-ignore

it('each log has its own, though the hashes of their first leaves begin alike', async () => {
  const memory = checkpointMemory(folder)
  const other = `sha256:${'a'.repeat(31)}${'c'.repeat(33)}`
  await memory.keep(LOG, checkpointOf(1))
  await memory.keep(other, checkpointOf(2))
  await memory.keep('empty', checkpointOf(3))
  const sequences = await Promise.all([LOG, other, 'empty'].map(async (log) => (await memory.last(log))?.sequence))
  expect(sequences).toEqual([1, 2, 3])
})

it('is a folder and files for their owner alone, and leaves nothing else behind', async () => {
  await checkpointMemory(folder).keep(LOG, checkpointOf(1))
  const kept = join(folder, 'checkpoints')
  expect(readdirSync(kept)).toEqual([`${'a'.repeat(32)}.json`])
  const file = join(kept, `${'a'.repeat(32)}.json`)
  expect([statSync(kept).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(checkpointOf(1))
})

it('is where it was when the service goes on in another folder', async () => {
  const here = process.cwd()
  onTestFinished(() => process.chdir(here))
  const memory = checkpointMemory(relative(here, folder))
  await memory.keep(LOG, checkpointOf(1))
  process.chdir(tmpdir())
  expect((await memory.last(LOG))?.sequence).toBe(1)
})

it.each(['', '{}', '[]', `{"sequence":1}`, `${JSON.stringify(checkpointOf(1))}x`])('a file that says %j is no checkpoint', async (text) => {
  const memory = checkpointMemory(folder)
  await memory.keep(LOG, checkpointOf(1))
  writeFileSync(join(folder, 'checkpoints', `${'a'.repeat(32)}.json`), text)
  expect(await memory.last(LOG)).toBeUndefined()
}) // prettier-ignore
