import { at } from '../../shape/view.js'
import { replace } from '../../finding.js'
import type { Rule } from '../rule.js'
import { members } from '../schema-part.js'

const RESERVED = new Set(['same_package', 'same_tenant', 'same_organization', 'cross_service', 'federated', 'external'])

export const authorityBoundaryUnknown = {
  code: 'SVC4003',
  slug: 'authority-boundary-unknown',
  severity: 'error',
  source: 'S',
  section: '2.8',
  description: '`authority_boundary` is same_service.',
  schema: { composition: members({ authority_boundary: { const: 'same_service' } }) },
  needs: 'composition',
  ofCapability({ capability: { composition } }, report) {
    const boundary = composition?.authority_boundary as string | undefined
    if (boundary === undefined || boundary === 'same_service' || RESERVED.has(boundary)) return
    report(at(composition!, 'authority_boundary'), `\`${boundary}\` is unknown; only \`same_service\` is accepted.`, {
      suggestion: 'same_service',
      fix: replace(at(composition!, 'authority_boundary'), 'same_service'),
    })
  },
} satisfies Rule
