import type { Json, JsonObject } from '../../protocol/manifest.js'
import {
  breakingAndWeakened,
  breaking,
  compatible,
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
export const inputs =
  (_: string, inside: Comparison): Comparison =>
  (before, after) => {
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
        return old === undefined ? [] : within(['inputs', name], inside(old, input))
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

/** Wider types: each takes every value of the narrower one. A domain type is a text. */
const WIDER: { readonly [type: string]: readonly string[] } = {
  integer: ['number'],
  date: ['string'],
  datetime: ['string'],
  duration: ['string'],
  email: ['string'],
  uri: ['string'],
  uuid: ['string'],
}

const isWider = (before: Json | undefined, after: Json | undefined): boolean =>
  (WIDER[String(before)] ?? []).includes(String(after))

export const inputType: Comparison = memberChange('type', (before, after) =>
  isWider(before, after) ? 'SVC9018' : isWider(after, before) ? breaking('SVC9017') : 'SVC9017',
)

/** A schema that takes all that the old one took is wider, or another text; any other may refuse and admit. */
export const inputSchema: Comparison = memberChange('x-schema', (was, is) => {
  const [takesMore, takesLess] = [takesAll(was, is), takesAll(is, was)]
  if (takesMore) return takesLess ? compatible('SVC9253') : 'SVC9253'
  return takesLess ? 'SVC9227' : breakingAndWeakened('SVC9227')
})

export const defaultValue: Comparison = (before, after) =>
  memberChange('default', presence({ added: 'SVC9019', removed: defaultRemoved(before), changed: 'SVC9021' }))(
    before,
    after,
  )

/** A caller who left it out was given the default; now the call fails. */
const defaultRemoved = (before: JsonObject) =>
  valueOf(before, ['resolution', 'on_missing']) === 'use_default' ? breakingAndWeakened('SVC9020') : 'SVC9020'

export const allowedValues: Comparison = (before, after) => {
  const [was, is] = [before['allowed_values'], after['allowed_values']]
  if (was !== undefined && is !== undefined)
    return set('allowed_values', { gained: 'SVC9025', lost: 'SVC9024' })(before, after)
  return memberChange('allowed_values', presence({ added: 'SVC9026', removed: 'SVC9027' }))(before, after)
}

/** Meanings of values that stay. */
export const meanings: Comparison = (before, after) => {
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
