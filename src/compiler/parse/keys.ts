import { RESERVED_KEYS } from '../../protocol/identifiers.js'
import type { Report } from '../finding.js'
import { EVERY_FIELD, indexOfKey, markFault, pushKey, type MapNode, type ScalarNode, type YamlNode } from './tree.js'

/** Takes a key into its map; `skip` when its value may not be used. */
export function addKey(map: MapNode, key: YamlNode, report: Report): ScalarNode | 'skip' {
  if (key.kind !== 'scalar' || typeof key.value !== 'string') return notText(map, key, report)
  if (key.value === '<<' && key.plain) return mergeKey(map, key, report)
  if (RESERVED_KEYS.has(key.value)) {
    markFault(map, EVERY_FIELD)
    report(
      'SVC0119',
      key,
      `The key \`${key.value}\` is reserved, because every object has a property of that name; choose another.`,
    )
    return 'skip'
  }
  const first = map.keys[indexOfKey(map, key.value)]
  if (first === undefined) return keep(map, key)
  report('SVC0103', key, `The key \`${key.value}\` is given twice; remove or rename one.`, {
    related: [{ span: first, message: 'It stands here first.' }],
  })
  return 'skip'
}

function keep(map: MapNode, key: ScalarNode): ScalarNode {
  pushKey(map, key)
  return key
}

function notText(map: MapNode, key: YamlNode, report: Report): 'skip' {
  const what = key.kind === 'scalar' ? `\`${String(key.value)}\`` : key.kind === 'map' ? 'a mapping' : 'a list'
  markFault(map, EVERY_FIELD)
  report('SVC0118', key, `The key ${what} is not text; ${key.kind === 'scalar' ? 'quote it' : 'write one word'}.`)
  return 'skip'
}

function mergeKey(map: MapNode, key: ScalarNode, report: Report): 'skip' {
  markFault(map, EVERY_FIELD)
  report('SVC0111', key, '`<<` is not part of YAML 1.2; repeat the fields, or use an alias for a whole value.')
  return 'skip'
}
