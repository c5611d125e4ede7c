import { at } from '../../shape/view.js'
import { meant, nearest } from '../../nearest.js'
import { CHECKED_INPUT_TYPES } from '../../../protocol/words.js'
import type { Rule } from '../rule.js'

const SHORT_NAMES: ReadonlyMap<string, string> = new Map([['int', 'integer'], ['bool', 'boolean'], ['str', 'string'], ['float', 'number'], ['list', 'array'], ['map', 'object'], ['url', 'uri'], ['timestamp', 'datetime'], ['guid', 'uuid']]) // prettier-ignore

export const inputTypeNearMiss = {
  code: 'SVC2301',
  slug: 'input-type-near-miss',
  severity: 'warning',
  source: 'L',
  section: '2.5',
  description: 'An input type does not resemble a checked one.',
  why: 'Any unknown word is a domain type, and is treated as a string.',
  ofInput({ input }, report) {
    const { type } = input
    if (type === undefined || (CHECKED_INPUT_TYPES as readonly string[]).includes(type)) return
    const near =
      SHORT_NAMES.get(type.toLowerCase()) ??
      (type.length > 3
        ? nearest(
            type,
            CHECKED_INPUT_TYPES.filter(
              (each) => each[0] === type[0]?.toLowerCase() && Math.abs(each.length - type.length) < 2,
            ),
          )
        : undefined)
    if (near === undefined) return
    report(at(input, 'type'), `The type \`${type}\` is treated as a string. Did you mean \`${near}\`?`, meant(near))
  },
} satisfies Rule
