import type { JsonObject } from '../../protocol/manifest.js'
import {
  all,
  anyChange,
  breaking,
  duration,
  namedItems,
  valueOf,
  within,
  type Comparison,
  type Difference,
  type ChangeCode,
} from './difference.js'

interface Kinds {
  readonly added: ChangeCode
  readonly removed: ChangeCode
  readonly stays?: Comparison
}

/** A list of objects, by what each is known by. */
const listOf =
  (field: string, name: string, kindsOf: (after: JsonObject) => Kinds): Comparison =>
  (before, after) => {
    const known = (item: JsonObject): string => String(item[name])
    const [was, is] = [namedItems(before[field], known), namedItems(after[field], known)]
    const { added, removed, stays = () => [] } = kindsOf(after)
    const at = (item: string) => [field, item]
    return [
      ...[...was.keys()].filter((each) => !is.has(each)).flatMap((each) => found(removed, at(each), 'is gone')),
      ...[...is.keys()].filter((each) => !was.has(each)).flatMap((each) => found(added, at(each), 'is new')),
      ...[...is].flatMap(([each, item]) => within(at(each), stays(was.get(each) ?? item, item))),
    ]
  }

const found = (verdict: ChangeCode, at: readonly string[], says: string): readonly Difference[] =>
  verdict === undefined ? [] : [typeof verdict === 'string' ? { code: verdict, at, says } : { ...verdict, at, says }]

/** Capabilities to call before: they are advice. */
export const requirements: Comparison = listOf('requires', 'capability', () => ({
  added: 'SVC9101',
  removed: 'SVC9102',
  stays: anyChange('reason', 'SVC9210'),
}))

/** Bindings, by the input that carries them. Without one, an estimated cost has no price to check. */
export const bindings: Comparison = (before, after) =>
  moved(before, after) ??
  listOf('requires_binding', 'field', (capability) => ({
    added: 'SVC9103',
    removed: valueOf(capability, ['cost', 'certainty']) === 'estimated' ? breaking('SVC9104') : 'SVC9104',
    stays: all([
      anyChange('type', 'SVC9107'),
      anyChange('source_capability', 'SVC9108'),
      duration('max_age', { longer: 'SVC9106', shorter: 'SVC9105' }),
    ]),
  }))(before, after)

/** The only binding, carried by another input. */
function moved(before: JsonObject, after: JsonObject): readonly Difference[] | undefined {
  const one = (capability: JsonObject) => {
    const [first, ...more] = namedItems(capability['requires_binding'], (item) => String(item['field'])).values()
    return more.length === 0 ? first : undefined
  }
  const [was, is] = [one(before), one(after)]
  if (was === undefined || is === undefined || was['field'] === is['field'] || was['type'] !== is['type'])
    return undefined
  const says = `is carried by ${String(is['field'])}, not by ${String(was['field'])}`
  return [{ code: 'SVC9107', at: ['requires_binding', String(is['field'])], says }]
}

/** What a token must have (section 2.4). */
export const controls: Comparison = listOf('control_requirements', 'type', () => ({
  added: 'SVC9111',
  removed: 'SVC9112',
}))
