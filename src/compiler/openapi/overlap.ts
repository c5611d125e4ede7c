import type { Json } from '../../protocol/manifest.js'
import { flattened, type FlatSchema } from './flatten.js'
import { flatTypesOf } from './plain-schema.js'
import type { ApiPlace, Description } from './references.js'

/** Alternatives inside alternatives, as far as they are looked at. */
const DEEPEST = 4

/** Returns true unless no value can fit two of the alternatives: by their types, their values, or a required member. */
export function alternativesOverlap(description: Description, branches: readonly ApiPlace[]): boolean {
  // What is wrong in a branch is found where it is imported.
  const quiet = { ...description, findings: [] }
  const all = branches.map((branch) => shapesOf(quiet, [branch], 0))
  return all.some((one, index) => all.slice(index + 1).some((other) => !areApart(quiet, one, other)))
}

/** A schema, or what it is by each of its alternatives. */
function shapesOf(description: Description, places: readonly ApiPlace[], depth: number): readonly FlatSchema[] {
  const flat = flattened(description, places)
  const [choice] = flat.choices
  if (choice === undefined || depth === DEEPEST) return [flat]
  return choice.branches.flatMap((branch) => {
    const own = flattened(description, places, new Map([[choice.list, branch]]))
    return own.choices.length < flat.choices.length ? [own] : shapesOf(description, [branch], depth + 1)
  })
}

const areApart = (description: Description, one: readonly FlatSchema[], other: readonly FlatSchema[]): boolean =>
  one.every((first) => other.every((second) => isApart(description, first, second)))

function isApart(description: Description, one: FlatSchema, other: FlatSchema): boolean {
  if (one.nullable && other.nullable) return false
  const [types, others] = [one, other].map((each) => flatTypesOf(each).map(widened))
  if (types!.length > 0 && others!.length > 0 && !types!.some((type) => others!.includes(type))) return true
  if (haveNoValue(valuesOf(one), valuesOf(other))) return true
  const both = [...one.required].filter((name) => other.required.has(name))
  return both.some((name) => haveNoValue(memberValues(description, one, name), memberValues(description, other, name)))
}

/** Each integer is a number. */
const widened = (type: string): string => (type === 'integer' ? 'number' : type)

const valuesOf = ({ keywords }: FlatSchema): readonly Json[] | undefined =>
  keywords['enum'] as readonly Json[] | undefined

const memberValues = (description: Description, { properties }: FlatSchema, name: string) =>
  valuesOf(flattened(description, properties.get(name) ?? []))

const haveNoValue = (one: readonly Json[] | undefined, other: readonly Json[] | undefined): boolean =>
  one !== undefined && other !== undefined && !one.some((value) => other.includes(value))
