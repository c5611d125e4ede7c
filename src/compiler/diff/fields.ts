import { isRecord } from '../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import type { ChangeRule, JudgeName, KindOfChange } from '../shape/change-rule.js'
import type { Field, Shape } from '../shape/field.js'
import {
  all,
  amountChange,
  breaking,
  compatible,
  differing,
  duration,
  flagChange,
  memberChange,
  namedItems,
  presence,
  set,
  within,
  type ChangeCode,
  type Comparison,
} from './difference.js'

/** Compares one field of two objects; `inside` compares the objects in it, field by field. */
export type FieldJudge = (name: string, inside: Comparison) => Comparison

export interface Judges {
  readonly rows: { readonly [name in JudgeName]: FieldJudge }
  /** Members that are not in the table of fields. */
  readonly others: { readonly [name: string]: Comparison }
}

const NOTHING: Comparison = () => []
/** The rule of a field that nobody judged. */
const UNJUDGED: ChangeRule = { any: 'SVC9250' }

/** The comparison of two objects of a shape: what the table of fields says of each field, and of members beside it. */
export function comparisonOf(shape: Shape, judges: Judges): Comparison {
  const rows = Object.entries(shape.fields).map(([name, field]) => ofField(name, field, judges))
  return all([...rows, ofOthers(shape, judges)])
}

function ofField(name: string, field: Field, judges: Judges): Comparison {
  const rule = field.change ?? UNJUDGED
  if ('ignored' in rule || 'with' in rule) return NOTHING
  const shape = shapeIn(field)
  const inside = shape === undefined ? NOTHING : comparisonOf(shape, judges)
  if ('judge' in rule) return judges.rows[rule.judge](name, inside)
  if ('fields' in rule) return ofObject(name, rule.fields, inside)
  if ('items' in rule) return ofItems(name, rule, inside)
  return ofValue(name, rule)
}

/** The shape of an object in a field, or of the objects in a list. */
function shapeIn(field: Field | undefined): Shape | undefined {
  if (field?.kind === 'object') return field.shape
  if (field?.kind === 'list') return shapeIn(field.items)
  return field?.kind === 'oneOf' ? (shapeIn(field.map) ?? shapeIn(field.list)) : undefined
}

type OfValue = Exclude<
  ChangeRule,
  { readonly ignored: string } | { readonly fields: object } | { readonly items: string } | { readonly kinds: object }
>

function ofValue(name: string, rule: OfValue): Comparison {
  if ('any' in rule) return memberChange(name, () => rule.any)
  if ('higher' in rule) return amountChange(name, { ...rule, higher: codeOf(rule.higher), lower: codeOf(rule.lower) })
  if ('longer' in rule) return duration(name, { ...rule, longer: codeOf(rule.longer), shorter: codeOf(rule.shorter) })
  if ('on' in rule) return flagChange(name, { ...rule, on: codeOf(rule.on), off: codeOf(rule.off) })
  if ('gained' in rule) return set(name, rule)
  if ('ranks' in rule) {
    const rank = (word: Json | undefined): number => rule.ranks.indexOf(String(word))
    return memberChange(name, (was, is) => codeOf(rank(is) > rank(was) ? rule.raised : rule.lowered))
  }
  const { added, removed, changed } = rule
  return memberChange(name, presence({ added: codeOf(added), removed: codeOf(removed), changed: codeOf(changed) }))
}

/** The code of a kind, with its effect where that is another one here. */
function codeOf(kind: KindOfChange | undefined): ChangeCode {
  if (typeof kind !== 'object') return kind
  return kind[1] === 'breaking' ? breaking(kind[0]) : compatible(kind[0])
}

const ofObject =
  (
    name: string,
    { added, removed }: { readonly added?: KindOfChange; readonly removed?: KindOfChange },
    inside: Comparison,
  ): Comparison =>
  (before, after) => {
    const kinds = { added: codeOf(added), removed: codeOf(removed) }
    const [was, is] = [before[name], after[name]]
    const isWhole = (was === undefined && added !== undefined) || (is === undefined && removed !== undefined)
    if (isWhole) return differing([name], was, is, presence(kinds))
    return within([name], inside(recordOf(was), recordOf(is)))
  }

const recordOf = (value: Json | undefined): JsonObject => (isRecord(value) ? value : {})

/** A list of objects, each known by one of its members. */
export const ofItems =
  (
    name: string,
    { items, added, removed }: { readonly items: string; readonly added: ChangeCode; readonly removed: ChangeCode },
    inside: Comparison,
  ): Comparison =>
  (before, after) => {
    const [was, is] = [before, after].map((each) => namedItems(each[name], (item) => String(item[items]))) as [
      ReadonlyMap<string, JsonObject>,
      ReadonlyMap<string, JsonObject>,
    ]
    const found = (verdict: ChangeCode, item: string, says: string) =>
      differing([name, item], false, true, () => verdict).map((each) => ({ ...each, says }))
    return [
      ...[...was.keys()].filter((each) => !is.has(each)).flatMap((each) => found(removed, each, 'is gone')),
      ...[...is.keys()].filter((each) => !was.has(each)).flatMap((each) => found(added, each, 'is new')),
      ...[...is].flatMap(([each, item]) => within([name, each], inside(was.get(each) ?? item, item))),
    ]
  }

/** Members that are not in the table: extensions, and what a newer version may know. */
const ofOthers =
  ({ fields }: Shape, { others }: Judges): Comparison =>
  (before, after) =>
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((name) => !Object.hasOwn(fields, name))
      .flatMap((name) =>
        Object.hasOwn(others, name)
          ? others[name]!(before, after)
          : differing([name], before[name], after[name], () => (name.startsWith('x-') ? 'SVC9225' : 'SVC9250')),
      )
