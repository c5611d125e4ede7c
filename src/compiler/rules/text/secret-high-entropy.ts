import { at } from '../../shape/view.js'
import { secretIn, entropyOf } from '../facts/secrets.js'
import type { Rule } from '../rule.js'

export const secretHighEntropy = {
  code: 'SVC5004',
  slug: 'secret-high-entropy',
  severity: 'warning',
  source: 'D',
  section: '2.6 r3',
  description: 'A reference does not look random.',
  secret: true,
  ofInput({ input }, report) {
    const references = [
      { text: input.catalog_ref, span: () => at(input, 'catalog_ref') },
      { text: input.resolution?.resolver_ref, span: () => at(input.resolution!, 'resolver_ref') },
    ]
    for (const { text, span } of references)
      if (
        text !== undefined &&
        text.length >= 24 &&
        entropyOf(text) > 4.2 &&
        /\d/u.test(text) &&
        secretIn(text) === undefined
      )
        report(
          span(),
          `The reference looks random (${entropyOf(text).toFixed(1)} bits a character, ${text.length} ` +
            'characters); if it is a secret, remove it.',
        )
  },
} satisfies Rule
