import { at } from '../../shape/view.js'
import { meant, question } from '../../nearest.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const approverUnknownCapability = {
  code: 'SVC7008',
  slug: 'approver-unknown-capability',
  severity: 'error',
  source: 'D',
  section: '4.7',
  description: 'An approver scope names a capability of this manifest.',
  whyNot: OTHER_CAPABILITY,
  ofManifest(context, report) {
    const scope = context.manifest.approvals?.approver_scope
    const name = scope?.startsWith('approver:') === true ? scope.slice(9) : undefined
    if (name === undefined || context.declares(name)) return
    const capability = context.nearestCapability(name)
    const near = capability === undefined ? undefined : `approver:${capability}`
    report(
      at(context.manifest.approvals!, 'approver_scope'),
      `\`${scope}\` names no capability of this manifest.${question(near)}`,
      meant(near),
    )
  },
} satisfies Rule
