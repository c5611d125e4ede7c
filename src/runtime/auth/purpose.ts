import { sameJson } from '../json/same-json.js'
import type { JsonObject } from '../../protocol/manifest.js'
import type { Purpose } from '../../protocol/token.js'
import { present } from '../json/present.js'
import { refuse } from '../errors/refusal.js'

/**
 * A purpose that keeps every inherited parameter and adds the asked ones; changing an inherited one is refused (section
 * 4.4).
 */
export function purposeWith(inherited: JsonObject, asked: JsonObject = {}): Purpose {
  const changed = Object.keys(asked).filter(
    (name) => Object.hasOwn(inherited, name) && !sameJson(inherited[name], asked[name]),
  )
  if (changed.length > 0) refuse('purpose_mismatch', 'A purpose parameter of the parent token may not change.')
  const parameters = { ...asked, ...inherited }
  const taskId = Object.hasOwn(parameters, 'task_id') ? parameters['task_id'] : undefined
  return present({ parameters, task_id: typeof taskId === 'string' ? taskId : undefined })
}
