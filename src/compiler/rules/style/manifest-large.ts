import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

const MANY = 300

export const manifestLarge = {
  code: 'SVC6111',
  slug: 'manifest-large',
  severity: 'info',
  source: 'L',
  section: '2.3',
  description: 'A manifest has at most 300 capabilities.',
  why: 'Discovery repeats a summary of each.',
  ofManifest({ manifest, capabilities }, report) {
    if (capabilities.size > MANY)
      report(
        keyOf(manifest, 'capabilities'),
        `${capabilities.size} capabilities in one manifest; discovery repeats each summary. Split the service.`,
      )
  },
} satisfies Rule
