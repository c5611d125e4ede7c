import { sharedSchemas, typeWords } from '../facts/schemas/places.js'
import type { Rule } from '../rule.js'

/** Words that name more than a text -> what to write for such a value. */
const MORE_THAN_TEXT: ReadonlyMap<string, string> = new Map([
  ...['money', 'price', 'amount'].map((word) => [word, '`number`, or `object` of currency and amount'] as const),
  ...['struct', 'dict', 'dictionary', 'json', 'jsonb'].map((word) => [word, '`object`'] as const),
  ['tuple', '`array`'],
  ...['percent', 'percentage'].map((word) => [word, '`number`'] as const),
  ['enum', '`string` with `enum`'],
])

export const typeIsText = {
  code: 'SVC2319',
  slug: 'type-is-text',
  severity: 'warning',
  source: 'L',
  section: '2.5',
  description: 'A type that is any text is not named like a value of numbers or members.',
  why: 'Any unknown word is a domain type: such a value is a string, whatever is in it.',
  ofManifest(context, report) {
    const shared = sharedSchemas(context)
    for (const { word, node } of typeWords(context)) {
      const meant = MORE_THAN_TEXT.get(word.toLowerCase())
      if (meant === undefined || shared.has(word)) continue
      report(
        node,
        `A value of the type \`${word}\` is any text. For more, write ${meant}, and what is inside as \`x-schema\`; ` +
          'for a text, `string`.',
      )
    }
  },
} satisfies Rule
