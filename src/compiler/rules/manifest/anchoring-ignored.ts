import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const anchoringIgnored = {
  code: 'SVC1103',
  slug: 'anchoring-ignored',
  severity: 'warning',
  source: 'D',
  section: '2.1',
  description: '`anchoring` stands only with anchored trust.',
  ofManifest({ manifest: { trust } }, report) {
    if (trust?.anchoring === undefined || trust.level === undefined || trust.level === 'anchored') return
    report(
      keyOf(trust, 'anchoring'),
      `\`anchoring\` has no effect at level \`${trust.level}\`; remove it, or set \`level: anchored\`.`,
    )
  },
} satisfies Rule
