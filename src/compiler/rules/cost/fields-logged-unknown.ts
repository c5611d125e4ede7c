import { itemAt } from '../../shape/view.js'
import { meant, nearest, question } from '../../nearest.js'
import { inputsOf } from '../facts/names.js'
import type { Rule } from '../rule.js'
import { DECLARED_NAMES } from '../why-not.js'

export const fieldsLoggedUnknown = {
  code: 'SVC2704',
  slug: 'fields-logged-unknown',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: '`fields_logged` names inputs.',
  whyNot: DECLARED_NAMES,
  needs: 'observability',
  ofCapability({ capability }, report) {
    const inputs = inputsOf(capability)
    const logged = capability.observability?.fields_logged
    if (inputs === undefined || logged === undefined) return
    for (const [index, name] of logged.entries()) {
      if (inputs.has(name)) continue
      const near = nearest(name, inputs.keys())
      report(
        itemAt(logged, index),
        `\`fields_logged\` names \`${name}\`, which is not an input.${question(near)}`,
        meant(near),
      )
    }
  },
} satisfies Rule
