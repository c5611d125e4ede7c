import { compareManifests, type Change } from '../../src/compiler/diff/compare.js'
import { CHANGE_KINDS } from '../../src/compiler/diff/kinds.js'
import { blocksOf } from '../../src/compiler/report/fields/blocks.js'
import type { ChangeRule } from '../../src/compiler/shape/change-rule.js'
import type { Field } from '../../src/compiler/shape/field.js'
import type { Manifest } from '../../src/protocol/manifest.js'
import { base, manifestOf } from '../compiler/diff/base.js'
import { ATTACKS, GONE, type Attack, type Edits } from './contributor-attacks.js'

/** A row of the table of fields: `capabilities.<name>.inputs[].default`. */
export interface Row {
  readonly path: string
  readonly field: Field
}

/** The table of fields, as it is now. */
export const rowsOf = (): readonly Row[] =>
  blocksOf().flatMap(({ path, shape }) =>
    Object.entries(shape.fields).map(([name, field]) => ({ path: path === '' ? name : `${path}.${name}`, field })),
  )

/** The codes of the kinds that a row may have. */
export function codesIn(rule: ChangeRule): readonly string[] {
  if ('ignored' in rule) return []
  if ('kinds' in rule) return rule.kinds
  const { absent: _, ranks: __, items: ___, fields, ...kinds } = rule as { readonly [name: string]: unknown }
  return [...Object.values(kinds), ...Object.values(fields ?? {})].map((kind) => String([kind].flat()[0]))
}

/** The rows whose own value is compared; a block without kinds is compared field by field. */
const isCompared = ({ field }: Row): boolean => field.change === undefined || codesIn(field.change).length > 0

/** What a contributor gets past `svc diff`, as sentences; and how much was tried. */
export function holesIn(rows: readonly Row[]): { readonly holes: readonly string[]; readonly attacks: number } {
  const tried = rows.filter(isCompared).map((row) => ({ row, entry: ATTACKS[row.path] }))
  const stale = Object.keys(ATTACKS).filter((path) => !rows.some((row) => row.path === path))
  const holes = tried.flatMap(({ row, entry }): readonly string[] => {
    if (row.field.change === undefined)
      return [`${row.path} has no column of changes: write judged({ … }, …) around it in shape/fields.`]
    if (entry === undefined)
      return [`${row.path} has no attack: write in contributor-attacks.ts how it is made weaker, or why it limits nothing.`] // prettier-ignore
    const isLimit = !('harmless' in entry)
    return (isLimit ? entry : [entry.change]).flatMap((attack) => holeIn(row, row.field.change!, attack, isLimit))
  })
  const attacks = tried.flatMap(({ entry }) => (entry === undefined || 'harmless' in entry ? [] : entry)).length
  return {
    holes: [...holes, ...stale.map((path) => `${path} is not in the table of fields: remove its attack.`)],
    attacks,
  }
}

function holeIn({ path }: Row, rule: ChangeRule, attack: Attack, isLimit: boolean): readonly string[] {
  const changes = changesOf(attack)
  const shown = JSON.stringify(attack.after, (_, value: unknown) => (value === GONE ? 'gone' : value))
  const own = changes.filter(({ code }) => codesIn(rule).includes(code))
  if (own.length === 0)
    return [`${path}: ${shown} is reported as ${codesOf(changes)}, none of ${codesIn(rule).join(', ')}.`]
  const fails = own.some(({ effect, weakens }) => weakens || effect === 'breaking')
  if (isLimit && !fails) return [`${path}: ${shown} passes as ${codesOf(own)}, compatible.`]
  return !isLimit && fails ? [`${path}: ${shown} fails as ${codesOf(own)}, and is listed as harmless.`] : []
}

const codesOf = (changes: readonly Change[]): string =>
  changes.length === 0 ? 'nothing' : changes.map(({ code, slug }) => `${code} ${slug}`).join(', ')

const BASE = manifestOf(JSON.stringify(base()))
const VERSIONS = ['version-not-bumped', 'version-bump-too-small']

function changesOf({ before = {}, after }: Attack): readonly Change[] {
  const was = edited(BASE, before)
  const [old, now] = [was, edited(was, after)].map((manifest) => ({ manifest, isServed: false }))
  return compareManifests(old!, now!).filter(({ slug }) => !VERSIONS.includes(slug))
}

/** A copy with other values. */
function edited(manifest: Manifest, edits: Edits): Manifest {
  const copy = structuredClone(manifest)
  for (const [path, value] of Object.entries(edits)) {
    const names = path.split('.')
    const name = names.pop()!
    let holder = copy as unknown as { [name: string]: unknown }
    for (const each of names) holder = (holder[each] ??= {}) as typeof holder
    if (value === GONE) Reflect.deleteProperty(holder, name)
    else holder[name] = structuredClone(value)
  }
  return copy
}

/** The codes that a row names and no kind has. */
export const unknownCodes = (rows: readonly Row[]): readonly string[] =>
  rows.flatMap(({ path, field }) =>
    codesIn(field.change ?? { ignored: '' })
      .filter((code) => !CHANGE_KINDS.has(code))
      .map((code) => `${path}: ${code} is no kind of change; add it to diff/kinds.ts.`),
  )
