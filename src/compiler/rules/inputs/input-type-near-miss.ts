import { typeWords } from '../facts/schemas/places.js'
import { meant, nearest } from '../../nearest.js'
import { CHECKED_INPUT_TYPES } from '../../../protocol/words.js'
import type { Rule } from '../rule.js'

const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ...['int', 'int32', 'int64', 'long'].map((word) => [word, 'integer'] as const),
  ...['float', 'double', 'decimal', 'numeric'].map((word) => [word, 'number'] as const),
  ['bool', 'boolean'],
  ['str', 'string'],
  ['list', 'array'],
  ['map', 'object'],
  ['url', 'uri'],
  ['timestamp', 'datetime'],
  ['date-time', 'datetime'],
  ['guid', 'uuid'],
])

const KNOWN: ReadonlySet<string> = new Set([...CHECKED_INPUT_TYPES, 'any', 'null'])

export const inputTypeNearMiss = {
  code: 'SVC2301',
  slug: 'input-type-near-miss',
  severity: 'warning',
  source: 'L',
  section: '2.5',
  description: 'The type of an input or an output field does not resemble a checked one.',
  why: 'Any unknown word is a domain type, and is treated as a string.',
  ofManifest(context, report) {
    for (const { word, node } of typeWords(context)) {
      const near = KNOWN.has(word) ? undefined : checkedNear(word)
      if (near !== undefined)
        report(node, `The type \`${word}\` is treated as a string. Did you mean \`${near}\`?`, meant(near))
    }
  },
} satisfies Rule

function checkedNear(word: string): string | undefined {
  const known = SHORT_NAMES.get(word.toLowerCase())
  if (known !== undefined || word.length < 4) return known
  const isClose = (each: string): boolean =>
    each[0] === word[0]?.toLowerCase() && Math.abs(each.length - word.length) < 2
  return nearest(word, CHECKED_INPUT_TYPES.filter(isClose))
}
