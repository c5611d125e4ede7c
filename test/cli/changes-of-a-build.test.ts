/** What a build says of the files that it changes, would change, or may not change. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { planWrites, type Destination } from '../../src/cli/build/outputs.js'
import { differenceOf } from '../../src/cli/build/difference.js'
import { pendingText, writeOurs } from '../../src/cli/build/write.js'

let root = ''
let to: Destination
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-changes-'))
  to = { root, folders: ['generated/', 'dist/'], lock: 'svc.lock.json', generator: 'svc test' }
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(root, { recursive: true })
})
const files = (given: { readonly [path: string]: string }) =>
  Object.entries(given).map(([path, text]) => ({ path, text, ownership: 'generated' as const }))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe('a build', () => {
  it('says of each file whether it is missing, out of date, changed by hand, or not generated any more', async () => {
    await writeOurs(
      to,
      files({ 'generated/a.ts': 'one\n', 'generated/b.ts': 'b\n', 'generated/c.ts': 'c\n' }),
      {},
      false,
    )
    writeFileSync(join(root, 'generated/b.ts'), 'mine\n')
    const wanted = files({ 'generated/a.ts': 'two\n', 'generated/b.ts': 'b\n', 'dist/d.ts': 'd\n' })
    expect(pendingText(await planWrites(to, wanted, {}))?.split('\n')).toEqual([
      'generated/a.ts is out of date',
      '  @ line 1',
      '  - one',
      '  + two',
      'generated/b.ts is out of date and was changed by hand',
      '  @ line 1',
      '  - mine',
      '  + b',
      'dist/d.ts is missing',
      'generated/c.ts is not generated any more',
    ])
    await expect(writeOurs(to, wanted, {}, false)).rejects.toThrow(
      'generated/b.ts would be overwritten, but its bytes are not those that svc wrote.\n  @ line 1\n  - mine\n  + b\nNothing was written. ',
    )
    expect(read('generated/a.ts')).toBe('one\n')
  })

  it('says of a file that it is not generated any more, where that is all', async () => {
    await writeOurs(to, files({ 'generated/a.ts': 'a', 'generated/b.ts': 'b' }), {}, false)
    const plan = async (wanted: { readonly [path: string]: string }) => pendingText(await planWrites(to, files(wanted), {}))
    expect(await plan({ 'generated/a.ts': 'a' })).toBe('generated/b.ts is not generated any more')
    expect(await plan({ 'generated/a.ts': 'a', 'generated/b.ts': 'b' })).toBeUndefined()
  }) // prettier-ignore

  it('takes nothing away that somebody changed; with force a copy is kept, each under a name of its own', async () => {
    await writeOurs(to, files({ 'generated/a.ts': 'a' }), {}, false)
    writeFileSync(join(root, 'generated/a.ts'), 'mine')
    writeFileSync(join(root, 'generated/a.ts.kept-1'), 'kept before')
    await expect(writeOurs(to, [], {}, false)).rejects.toThrow('generated/a.ts is not generated any more, but its bytes are not those that svc wrote.') // prettier-ignore
    const said: string[] = []
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => (said.push(String(text)), true))
    expect(await writeOurs(to, [], {}, true)).toEqual({ total: 0, changed: 0, removed: 1, files: [{ path: 'generated/a.ts', change: 'removed', edited: true }] }) // prettier-ignore
    expect([said, read('generated/a.ts.kept-1'), read('generated/a.ts.kept-2')]).toEqual([['kept a copy: generated/a.ts.kept-2\n'], 'kept before', 'mine']) // prettier-ignore
  })

  it('says what it has done, and nothing of what was so already', async () => {
    expect(await writeOurs(to, files({ 'generated/a.ts': 'a', 'generated/b.ts': 'b' }), {}, false)).toEqual({
      total: 2,
      changed: 2,
      removed: 0,
      files: [{ path: 'generated/a.ts', change: 'written', edited: false }, { path: 'generated/b.ts', change: 'written', edited: false }],
    }) // prettier-ignore
    expect(await writeOurs(to, files({ 'generated/a.ts': 'a' }), {}, false)).toMatchObject({ total: 1, changed: 0, removed: 1 }) // prettier-ignore
    expect(pendingText(await planWrites(to, files({ 'generated/a.ts': 'a' }), {}))).toBeUndefined()
  })

  it('keeps the pinned keys of its lock, and sweeps what a killed one left beside the lock and each file', async () => {
    const lock = { version: 1, generator: 'svc test', inputs: {}, outputs: {}, manifest_keys: ['k'.repeat(43)] }
    writeFileSync(join(root, 'svc.lock.json'), JSON.stringify(lock))
    mkdirSync(join(root, 'generated'))
    for (const path of ['svc.lock.json.svc-tmp', 'generated/a.ts.svc-tmp']) writeFileSync(join(root, path), 'half')
    await writeOurs(to, files({ 'generated/a.ts': 'a' }), { 'svc.yaml': 'sum' }, false)
    expect(JSON.parse(read('svc.lock.json'))).toMatchObject({ manifest_keys: ['k'.repeat(43)], inputs: { 'svc.yaml': 'sum' } }) // prettier-ignore
    expect(['svc.lock.json.svc-tmp', 'generated/a.ts.svc-tmp'].map((path) => existsSync(join(root, path)))).toEqual([false, false]) // prettier-ignore
  })
})

describe('a difference', () => {
  const lines = (count: number, word = 'x') => Array.from({ length: count }, (_, at) => `${word}${at}`).join('\n')

  it('is of the lines that change, each place with its line', () => {
    expect(differenceOf('a\nb\nc\nd\ne\nf', 'a\nB\nc\nd\ne\nF\ng').split('\n')).toEqual(['  @ line 2', '  - b', '  + B', '  @ line 6', '  - f', '  + F', '  + g']) // prettier-ignore
    expect(differenceOf('a\nb', 'a\nb')).toBe('')
  })

  it('has at most 24 lines, and of each 160 characters; what steers a terminal is written out', () => {
    const shown = differenceOf(lines(0), lines(24, 'y')).split('\n')
    expect(shown.filter((line) => /^ {2}[+-] /u.test(line))).toHaveLength(24)
    expect(shown.at(-1)).toBe('  … 1 more lines')
    expect(differenceOf('', 'z'.repeat(160)).split('\n')[2]).toBe(`  + ${'z'.repeat(160)}`)
    expect(differenceOf('', 'z'.repeat(161)).split('\n')[2]).toBe(`  + ${'z'.repeat(160)}…`)
    expect(differenceOf('', 'a\u001b[31m')).not.toContain('\u001b')
  })
})
