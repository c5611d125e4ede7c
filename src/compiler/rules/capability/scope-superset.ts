import { itemAt } from '../../shape/view.js'
import type { Rule } from '../rule.js'

const ADMIN = /^(.*[.:])(?:admin|all|full|manage|owner)$/u

export const scopeSuperset = {
  code: 'SVC2210',
  slug: 'scope-superset',
  severity: 'info',
  source: 'L',
  section: '2.4',
  description: 'A capability does not ask for an admin scope beside a narrower one.',
  ofCapability({ capability }, report) {
    const scopes = capability.minimum_scope ?? []
    for (const [index, scope] of scopes.entries()) {
      const prefix = ADMIN.exec(scope)?.[1]
      const narrower =
        prefix === undefined ? undefined : scopes.find((other) => other !== scope && other.startsWith(prefix))
      if (narrower !== undefined)
        report(
          itemAt(capability.minimum_scope!, index),
          `It asks for \`${scope}\` and \`${narrower}\`; is the wider one needed?`,
        )
    }
  },
} satisfies Rule
