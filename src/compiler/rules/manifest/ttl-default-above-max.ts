import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { allHold, has, members, none, when } from '../schema-part.js'
import { TWO_VALUES } from '../why-not.js'

/** Defaults of `limits` [8]. */
const DEFAULTS = { default_ttl_hours: 2, max_ttl_hours: 24 } as const

export const ttlDefaultAboveMax = {
  code: 'SVC1017',
  slug: 'ttl-default-above-max',
  severity: 'error',
  source: 'A',
  section: '8',
  description: 'The default lifetime of a token is not above the longest one.',
  why: 'Every request for a token that names no lifetime would be refused.',
  schema: {
    limits: allHold(
      when(
        none(has('max_ttl_hours')),
        members({ default_ttl_hours: { type: 'number', maximum: DEFAULTS.max_ttl_hours } }),
      ),
      when(
        none(has('default_ttl_hours')),
        members({ max_ttl_hours: { type: 'number', minimum: DEFAULTS.default_ttl_hours } }),
      ),
    ),
  },
  whyNot: TWO_VALUES,
  ofManifest({ manifest: { limits } }, report) {
    if (limits === undefined) return
    const known = (field: keyof typeof DEFAULTS): number | undefined =>
      limits[field] ?? (isAbsent(limits, field) ? DEFAULTS[field] : undefined)
    const [usual, longest] = [known('default_ttl_hours'), known('max_ttl_hours')]
    if (usual === undefined || longest === undefined || usual <= longest) return
    const field = limits.default_ttl_hours === undefined ? 'max_ttl_hours' : 'default_ttl_hours'
    report(
      at(limits, field),
      `A token lives ${usual} hours when its request names no lifetime, but at most ${longest}: such requests ` +
        'would all be refused.',
    )
  },
} satisfies Rule
