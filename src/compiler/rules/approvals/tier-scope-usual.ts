import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const tierScopeUsual = {
  code: 'SVC7023',
  slug: 'tier-scope-usual',
  severity: 'warning',
  source: 'L',
  section: '2.12',
  description: 'The scope of a tier is held by fewer people than approve otherwise.',
  why: 'A tier is there so that somebody else decides what costs more.',
  needs: 'approval',
  ofCapability({ name, capability, manifest }, report) {
    for (const tier of capability.approval?.tiers ?? []) {
      const scope = tier.approver_scope
      if (scope === undefined) continue
      if (scope === `approver:${name}` || scope === manifest.approvals?.approver_scope)
        report(
          at(tier, 'approver_scope'),
          `\`${scope}\` also approves cheaper calls. Name a scope that fewer people have.`,
        )
      else if (capability.minimum_scope?.includes(scope) === true)
        report(at(tier, 'approver_scope'), `\`${scope}\` is a scope of callers; name one that approvers alone have.`)
    }
  },
} satisfies Rule
