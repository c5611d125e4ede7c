import type { JsonObject } from '../../protocol/manifest.js'
import { breakingAndWeakened, namedItems, valueOf, within, type Comparison, type Difference } from './difference.js'
import { ofItems } from './fields.js'

/** Bindings, by the input that carries them. Without one, an estimated cost has no price to check. */
export const bindings =
  (name: string, inside: Comparison): Comparison =>
  (before, after) =>
    moved(before, after, inside) ??
    ofItems(name, { items: 'field', added: 'SVC9103', removed: removedFrom(after) }, inside)(before, after)

const removedFrom = (after: JsonObject) =>
  valueOf(after, ['cost', 'certainty']) === 'estimated' ? breakingAndWeakened('SVC9104') : 'SVC9104'

/** The only binding, carried by another input. */
function moved(before: JsonObject, after: JsonObject, inside: Comparison): readonly Difference[] | undefined {
  const one = (capability: JsonObject) => {
    const [first, ...more] = namedItems(capability['requires_binding'], (item) => String(item['field'])).values()
    return more.length === 0 ? first : undefined
  }
  const [was, is] = [one(before), one(after)]
  if (was === undefined || is === undefined || was['field'] === is['field'] || was['type'] !== is['type'])
    return undefined
  const at = ['requires_binding', String(is['field'])]
  const says = `is carried by ${String(is['field'])}, not by ${String(was['field'])}`
  return [{ code: 'SVC9107', at, says }, ...within(at, inside(was, is))]
}
