/** An author of a manifest: hostile text in each row of the table of fields, in each output that the program has. */
import { parseEnv } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { rendered } from '../../src/cli/diff/run.js'
import { DIFF_FORMATS } from '../../src/cli/diff/options.js'
import { FORMAT_NAMES } from '../../src/cli/validate/options.js'
import { render } from '../../src/cli/validate/reports.js'
import { printableLines } from '../../src/cli/shared/output/printable.js'
import { check } from '../../src/compiler/check.js'
import { diffManifests, type Side } from '../../src/compiler/diff/diff.js'
import { emit } from '../../src/compiler/emit.js'
import type { Manifest } from '../../src/protocol/manifest.js'
import { base, type Loose } from '../compiler/diff/base.js'
import type { Row } from './contributor.js'

/** What would end a line, a string, a comment or a command, or steer a terminal, each before a line of its own. */
export const HOSTILE = [
  '\n',
  '\r',
  '\0',
  '\u001B[2J',
  '\u2028',
  '"',
  "'",
  '$(',
  '`',
  '#',
  ']]>',
  '*/',
  '\u202E',
] as const
export const MARK = 'PWNED'
export const hostile = (before: string, text: string): string => `${before}${text}${MARK}=1${text}`

/** Nothing that steers a terminal or hides, and no line that a text has begun. */
export function problemsOf(name: string, text: string): readonly string[] {
  const steering = name.endsWith('.json') ? /(?![\n\t])\p{Cc}/u : /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/u
  const raw = steering.exec(text)
  const line = text.split('\n').find((each) => each.trimStart().startsWith(MARK))
  return [
    ...(raw === null ? [] : [`${name} holds ${JSON.stringify(raw[0])}`]),
    ...(line === undefined ? [] : [`${name} has the line ${JSON.stringify(line)}`]),
    ...problemsOfFormat(name, text),
  ]
}

const SETTINGS = /^(?:#.*|SVC_[A-Z_]+=[\w.-]*|[A-Z][A-Z0-9_]*_CREDENTIAL=)?$/u

function problemsOfFormat(name: string, text: string): readonly string[] {
  if (name === '.env')
    return text.split('\n').every((line) => SETTINGS.test(line)) && !JSON.stringify(parseEnv(text)).includes(MARK)
      ? []
      : [`${name} has a line of a text`]
  if (name.endsWith('.json')) return JSON.parse(text) === undefined ? [name] : []
  if (name.endsWith('.yaml'))
    return parseAllDocuments(text)
      .flatMap((each) => keysOf(each.toJS()))
      .filter((key) => key.startsWith(MARK))
  return []
}

const keysOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(keysOf)]
    : []

export interface OutputFile {
  readonly path: string
  readonly text: string
}

/** Sources of a manifest, and what the compiler says of them. */
interface Checked {
  readonly side: Omit<Side, 'manifest'> & { readonly manifest: Manifest | undefined }
  readonly run: Parameters<typeof render>[1]
}

/** Each output that is made of a manifest, as the program's tables have them. */
export const OUTPUTS: { readonly [name: string]: (given: Checked, before: Side) => Promise<readonly OutputFile[]> } = {
  'generated files': async ({ side: { manifest } }) =>
    manifest === undefined ? [] : emit(manifest, { generator: 'svc' }).files,
  ...Object.fromEntries(
    FORMAT_NAMES.map((format) => [
      `report ${format}`,
      async ({ run }: Checked) => [written(format, await render(format, run, { color: false }))],
    ]),
  ),
  ...Object.fromEntries(
    DIFF_FORMATS.map((format) => [
      `diff ${format}`,
      async ({ side }: Checked, before: Side) => {
        const { manifest } = side
        if (manifest === undefined) return []
        const changes = diffManifests(before, { ...side, manifest })
        const run = { before: 'old', after: 'new', sources: side.sources, changes, failOn: ['breaking'] as const }
        return [written(format, await rendered(format, run as never, false))]
      },
    ]),
  ),
}

/** As it is written: what is printed goes through the one printer of the standard streams. */
const written = (format: string, text: string): OutputFile =>
  ['json', 'sarif', 'gitlab'].includes(format)
    ? { path: `${format}.json`, text }
    : { path: format, text: printableLines(text) }

function checked(manifest: object): Checked {
  const sources = [{ file: 'svc.yaml', text: JSON.stringify(manifest) }]
  const result = check(sources, { now: 0 })
  const { diagnostics, roots } = result
  return { side: { sources, roots, manifest: result.manifest, pinned: undefined }, run: { sources, diagnostics } }
}

/** What an author gets into an output, as sentences; and how much was tried. */
export async function holesIn(
  rows: readonly Row[],
  texts: readonly string[],
  outputs = OUTPUTS,
): Promise<{ readonly holes: readonly string[]; readonly attacks: number }> {
  const { side } = checked(base())
  const before = { ...side, manifest: side.manifest! }
  const holes: string[] = []
  let attacks = 0
  for (const { path } of rows) {
    const place = placeOf(path)
    if (place === undefined) {
      holes.push(`${path} has no attack: give it a place in the manifest of test/compiler/diff/base.ts.`)
      continue
    }
    for (const text of texts)
      for (const [way, edit] of Object.entries(EDITS)) {
        const given = checked(edited(place, (value) => edit(value, text)))
        for (const [name, output] of Object.entries(outputs)) {
          const found = (await output(given, before)).flatMap((file) => problemsOf(file.path, file.text))
          holes.push(...found.map((problem) => `${path}, ${way}, in ${name}: ${problem}`))
        }
        attacks++
      }
  }
  return { holes, attacks }
}

/** Ways in which a text comes to a place. */
const EDITS: { readonly [way: string]: (value: unknown, text: string) => unknown } = {
  'as its text': (value, text) => hostile(typeof value === 'string' ? value : 'a', text),
  'as the name of a member': (value, text) =>
    Array.isArray(value)
      ? [...(value as unknown[]), { [hostile('a', text)]: hostile('b', text) }]
      : { ...(typeof value === 'object' ? value : {}), [hostile('a', text)]: hostile('b', text) },
}

const CAPABILITIES = ['order', 'quote', 'day']

/** A place in the manifest for a row of the table; its holder is there, or can be made. */
function placeOf(row: string): readonly string[] | undefined {
  const names = row.replaceAll('[]', '.0').split('.')
  if (!names.includes('<name>')) return names.some((name) => /[^\w-]/u.test(name)) ? undefined : names
  const places = CAPABILITIES.map((name) => names.map((each) => (each === '<name>' ? name : each)))
  const known = places.filter((place) => place.every((name) => !/[^\w-]/u.test(name)))
  return known.find((place) => valueAt(place.slice(0, -1)) !== undefined) ?? known[0]
}

const valueAt = (place: readonly string[]): unknown =>
  place.reduce<unknown>((value, name) => (value as Loose | undefined)?.[name], base())

function edited(place: readonly string[], edit: (value: unknown) => unknown): object {
  const manifest = base()
  let holder = manifest as unknown as { [name: string]: unknown }
  for (const name of place.slice(0, -1)) {
    if (typeof holder[name] !== 'object' || holder[name] === null) holder[name] = {}
    holder = holder[name] as typeof holder
  }
  const last = place.at(-1)!
  holder[last] = edit(holder[last])
  return manifest
}
