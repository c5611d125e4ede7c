import type * as Fs from 'node:fs'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { glob } from '../../src/cli/shared/arguments/glob.js'
import { manifestFiles } from '../../src/cli/validate/manifest-files.js'

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>()
  const readdir = (path: string, options: object, done: (error: object) => void) =>
    path.includes('closed') ? done(Object.assign(new Error(), { code: 'EACCES' })) : fs.readdir(path, options as never, done as never)
  return { ...fs, readdir }
}) // prettier-ignore

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-glob-'))
  for (const name of ['open', 'closed']) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'svc.yaml'), '')
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

it('misses no file in silence: a folder that cannot be read is an error', async () => {
  const found = (pattern: string, ignore: readonly string[] = []) => glob(pattern, { cwd: folder, ignore: [...ignore] })
  await expect(found('**/svc.yaml')).rejects.toThrow(/cannot read the folder `.*closed\/?` \(EACCES\), which `\*\*/u)
  expect(await found('**/svc.yaml', ['closed/**'])).toEqual(['open/svc.yaml'])
  expect(await found('none/**/svc.yaml')).toEqual([])
})

it('looks for the other spelling of a pattern where it looked for the pattern', async () => {
  const found = manifestFiles([`${folder}/**/none.yaml`], [`${folder}/closed/**`])
  await expect(found).rejects.toThrow(/^SVC0001 no-input: no manifest matched `[^`]+none\.yaml`\.$/u)
})
