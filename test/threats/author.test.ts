/** N27: an author of a manifest, at each field of the table of fields and each output of the program. */
import { describe, expect, it } from 'vitest'
import { emit } from '../../src/compiler/emit.js'
import type { Manifest } from '../../src/protocol/manifest.js'
import { HOSTILE, holesIn, OUTPUTS } from './author.js'
import { rowsOf } from './contributor.js'

/** Each text at once: the short form; each by itself is in texts.test.ts for the places of three documents. */
const ALL = HOSTILE.join('')

describe('N27 an author of documents', () => {
  it('gets no text into an output that means more than the text', async () => {
    const rows = rowsOf()
    const { holes, attacks } = await holesIn(rows, [ALL])
    expect(holes).toEqual([])
    process.stdout.write(`author: ${rows.length} fields, ${attacks} attacks, ${Object.keys(OUTPUTS).length} outputs\n`)
  }, 240_000)
})

describe('the harness finds a planted hole', () => {
  const description = rowsOf().filter(({ path }) => path === 'service_identity.description')

  it('a generated file that holds a text as it is', async () => {
    const raw = async ({ side: { manifest } }: { side: { manifest?: Manifest } }) =>
      manifest === undefined ? [] : [...emit(manifest, { generator: 'svc' }).files.slice(0, 1), { path: 'notes.md', text: manifest.service_identity.description ?? '' }]
    const { holes } = await holesIn(description, ['\n'], { files: raw as never })
    expect(holes).toEqual(['service_identity.description, as its text, in files: notes.md has the line "PWNED=1"'])
  }) // prettier-ignore

  it('a report that steers the terminal', async () => {
    const raw = async ({ run }: { run: { diagnostics: readonly { message: string }[] } }) => [{ path: 'text', text: run.diagnostics.map(({ message }) => message).join('\n') + '\u001B[2J' }]
    const { holes } = await holesIn(description, ['#'], { raw: raw as never })
    expect(holes[0]).toBe('service_identity.description, as its text, in raw: text holds "\\u001b"')
  }) // prettier-ignore

  it('a name of a member that becomes a key of YAML', async () => {
    const raw = async ({ side: { sources } }: { side: { sources: readonly { text: string }[] } }) => [{ path: 'a.yaml', text: sources[0]!.text.includes('PWNED=1') ? 'PWNED: 1\n' : '' }]
    const { holes } = await holesIn(description, ['#'], { raw: raw as never })
    expect(holes).toContain('service_identity.description, as the name of a member, in raw: PWNED')
  }) // prettier-ignore

  it('a row that has no place in the manifest', async () => {
    const { holes, attacks } = await holesIn([{ path: 'capabilities.<name>.<other>.text', field: { kind: 'text' } as never }], ['#'])
    expect([holes, attacks]).toEqual([['capabilities.<name>.<other>.text has no attack: give it a place in the manifest of test/compiler/diff/base.ts.'], 0])
  }) // prettier-ignore
})
