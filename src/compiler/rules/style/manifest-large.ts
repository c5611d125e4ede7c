import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

const MANY = 300

export const manifestLarge = {
  code: 'SVC6111',
  slug: 'manifest-large',
  severity: 'info',
  source: 'L',
  section: '2.3',
  law: 'A manifest has at most 300 capabilities.',
  why: 'Discovery repeats a summary of each.',
  ofManifest({ manifest, capabilities }, tell) {
    if (capabilities.size > MANY)
      tell(
        keyOf(manifest, 'capabilities'),
        `${capabilities.size} capabilities in one manifest; discovery repeats each summary. Split the service.`,
      )
  },
} satisfies Rule
