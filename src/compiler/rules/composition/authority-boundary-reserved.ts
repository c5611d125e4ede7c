import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { members, none } from '../schema-part.js'

const RESERVED = new Set(['same_package', 'same_tenant', 'same_organization', 'cross_service', 'federated', 'external'])

export const authorityBoundaryReserved = {
  code: 'SVC4002',
  slug: 'authority-boundary-reserved',
  severity: 'error',
  source: 'S',
  section: '2.8',
  description: '`authority_boundary` takes no reserved value.',
  schema: { composition: members({ authority_boundary: none({ enum: [...RESERVED] }) }) },
  needs: 'composition',
  ofCapability({ capability: { composition } }, report) {
    const boundary = composition?.authority_boundary as string | undefined
    if (boundary === undefined || !RESERVED.has(boundary)) return
    report(at(composition!, 'authority_boundary'), `\`${boundary}\` is reserved, and rejected; use \`same_service\`.`, {
      suggestion: 'same_service',
      isGuess: true,
    })
  },
} satisfies Rule
