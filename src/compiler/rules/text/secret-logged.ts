import { itemAt } from '../../shape/view.js'
import { isSecretName } from '../facts/secrets.js'
import type { Rule } from '../rule.js'

export const secretLogged = {
  code: 'SVC5006',
  slug: 'secret-logged',
  severity: 'warning',
  source: 'D',
  section: '2.4',
  description: '`fields_logged` lists no credential.',
  needs: 'observability',
  ofCapability({ capability: { observability } }, report) {
    for (const [index, name] of (observability?.fields_logged ?? []).entries())
      if (isSecretName(name))
        report(
          itemAt(observability!.fields_logged!, index),
          `\`fields_logged\` lists \`${name}\`, which holds a credential; remove it.`,
        )
  },
} satisfies Rule
