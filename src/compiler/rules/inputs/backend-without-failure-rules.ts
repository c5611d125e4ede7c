import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const backendWithoutFailureRules = {
  code: 'SVC2422',
  slug: 'backend-without-failure-rules',
  severity: 'info',
  source: 'L',
  section: '2.6',
  description: '`backend_resolved` says what happens when a value is ambiguous or unresolved.',
  needs: 'resolution',
  ofInput({ input: { resolution } }, report) {
    if (resolution?.mode !== 'backend_resolved') return
    const lacking = ['on_ambiguous', 'on_unresolved'].filter((behaviour) => isAbsent(resolution, behaviour))
    if (lacking.length > 0)
      report(
        at(resolution, 'mode'),
        `\`backend_resolved\` does not declare ${lacking.map((each) => `\`${each}\``).join(' and ')}.`,
      )
  },
} satisfies Rule
