import type { Json, JsonObject } from '../../protocol/manifest.js'
import {
  all,
  anyChange,
  breaking,
  flagChange,
  memberChange,
  namedItems,
  presence,
  same,
  set,
  valueOf,
  within,
  type Comparison,
  type Difference,
} from './difference.js'
import { renamed } from './renames.js'
import { takesAll } from './value-schemas.js'

const nameOf = (input: JsonObject): string => String(input['name'])

/** Inputs, by name (section 2.5). */
export const inputs: Comparison = (before, after) => {
  const [was, is] = [namedItems(before['inputs'], nameOf), namedItems(after['inputs'], nameOf)]
  const gone = new Map([...was].filter(([name]) => !is.has(name)))
  const come = new Map([...is].filter(([name]) => !was.has(name)))
  const names = renamed(gone, come, isSameInput)
  const arrived = new Set(names.values())
  const found = [
    ...[...names].map(([old, name]) => at(name, 'SVC9016', `was called ${old}`)),
    ...[...gone.keys()].filter((name) => !names.has(name)).map((name) => at(name, 'SVC9013', 'is gone')),
    ...[...come].filter(([name]) => !arrived.has(name)).map(([name, input]) => added(name, input)),
    ...[...is].flatMap(([name, input]) => {
      const old = was.get(name)
      return old === undefined ? [] : within(['inputs', name], ofInput(old, input))
    }),
  ]
  const isMoved = found.length === 0 && !same([...was.keys()], [...is.keys()])
  return isMoved ? [{ code: 'SVC9022', at: ['inputs'], says: `now come as ${[...is.keys()].join(', ')}` }] : found
}

const at = (name: string, code: string, says: string): Difference => ({ code, at: ['inputs', name], says })

const added = (name: string, input: JsonObject): Difference =>
  input['required'] === false
    ? at(name, 'SVC9012', 'is new, and optional')
    : at(name, 'SVC9011', 'is new, and required')

/** The same input under another name: all that it says but its name and its description. */
const isSameInput = (before: JsonObject, after: JsonObject): boolean => same(nameless(before), nameless(after))

const nameless = ({ name: _, description: __, ...rest }: JsonObject): JsonObject => rest

/** What a type took, the wider takes, too. A domain type is a text. */
const WIDER: { readonly [type: string]: readonly string[] } = {
  integer: ['number'],
  date: ['string'],
  datetime: ['string'],
  duration: ['string'],
  email: ['string'],
  uri: ['string'],
  uuid: ['string'],
}

const typeKind = (before: Json | undefined, after: Json | undefined): string =>
  (WIDER[String(before)] ?? []).includes(String(after)) ? 'SVC9018' : 'SVC9017'

const ofInput: Comparison = (before, after) =>
  all([
    flagChange('required', { on: 'SVC9015', off: 'SVC9014', absent: true }),
    memberChange('type', typeKind),
    memberChange('default', presence({ added: 'SVC9019', removed: defaultRemoved(before), changed: 'SVC9021' })),
    anyChange('description', 'SVC9023'),
    allowedValues,
    meanings,
    anyChange('catalog_ref', 'SVC9029'),
    memberChange('semantic_type', presence({ added: 'SVC9023', removed: 'SVC9031', changed: 'SVC9031' })),
    flagChange('entity_reference', { on: 'SVC9032', off: 'SVC9033', absent: false }),
    resolution,
    memberChange('x-schema', (was, is) => (takesAll(was, is) ? 'SVC9253' : 'SVC9227')),
    anyChange('x-title', 'SVC9226'),
  ])(before, after)

/** A caller who left it out was given the default; now the call fails. */
const defaultRemoved = (before: JsonObject) =>
  valueOf(before, ['resolution', 'on_missing']) === 'use_default' ? breaking('SVC9020') : 'SVC9020'

const allowedValues: Comparison = (before, after) => {
  const [was, is] = [before['allowed_values'], after['allowed_values']]
  if (was !== undefined && is !== undefined)
    return set('allowed_values', { gained: 'SVC9025', lost: 'SVC9024' })(before, after)
  return memberChange('allowed_values', presence({ added: 'SVC9026', removed: 'SVC9027' }))(before, after)
}

/** Meanings of values that stay. */
const meanings: Comparison = (before, after) => {
  const byValue = (input: JsonObject) => namedItems(input['input_meanings'], (item) => JSON.stringify(item['value']))
  const [was, is] = [byValue(before), byValue(after)]
  const values = new Set([...was.keys(), ...is.keys()])
  return [...values].flatMap((value): readonly Difference[] => {
    const [old, now] = [was.get(value), is.get(value)]
    if (same(old, now)) return []
    const here = ['input_meanings']
    if (old === undefined) return [{ code: 'SVC9201', at: here, says: `tells what ${value} means` }]
    return [
      {
        code: 'SVC9028',
        at: here,
        says: `${now === undefined ? 'no longer tells' : 'tells otherwise'} what ${value} means`,
      },
    ]
  })
}

/** Modes that take less from a caller, or infer less (section 2.6). */
const TIGHT = ['explicit_only', 'closed_values', 'actor_policy']

const resolution: Comparison = (before, after) => {
  const [was, is] = [before['resolution'], after['resolution']]
  if (was === undefined || is === undefined)
    return memberChange('resolution', presence({ added: introduced(after), removed: 'SVC9035' }))(before, after)
  return all([
    memberChange('resolution.mode', modeKind),
    anyChange('resolution.resolver_ref', 'SVC9030'),
    memberChange('resolution.on_missing', missingKind),
    anyChange('resolution.on_ambiguous', 'SVC9040'),
    anyChange('resolution.on_unresolved', 'SVC9040'),
  ])(before, after)
}

const introduced = (after: JsonObject) =>
  ['closed_values', 'explicit_only'].includes(String(valueOf(after, ['resolution', 'mode'])))
    ? breaking('SVC9034')
    : 'SVC9034'

/** From a tight mode to another one, what was possible may not be: that is tightening, too. */
const modeKind = (_: Json | undefined, after: Json | undefined): string =>
  TIGHT.includes(String(after)) ? 'SVC9036' : 'SVC9037'

/** What becomes of a call that leaves it out: it fails, or it goes on. */
const FAILS = ['deny', 'clarify', 'deny_or_clarify', 'app_select_or_clarify']

const missingKind = (before: Json | undefined, after: Json | undefined): string => {
  const [failed, fails] = [FAILS.includes(String(before)), FAILS.includes(String(after))]
  return fails && !failed ? 'SVC9038' : !fails && failed ? 'SVC9039' : 'SVC9040'
}
