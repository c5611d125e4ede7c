import { at } from '../../shape/view.js'
import { meant, nearest } from '../../nearest.js'
import type { Rule } from '../rule.js'

const WORDS = ['entity_reference', 'scope', 'time_window']

export const semanticTypeNearMiss = {
  code: 'SVC6112',
  slug: 'semantic-type-near-miss',
  severity: 'warning',
  source: 'L',
  section: '2.5',
  description: '`semantic_type` does not resemble a word of the interface.',
  needs: 'semantic_type',
  ofInput({ input }, report) {
    const type = input.semantic_type
    if (type === undefined || WORDS.includes(type)) return
    const near = nearest(
      type,
      WORDS.filter((word) => word[0] === type[0] && Math.abs(word.length - type.length) < 3),
    )
    if (near !== undefined)
      report(at(input, 'semantic_type'), `\`${type}\` is not known. Did you mean \`${near}\`?`, meant(near))
  },
} satisfies Rule
