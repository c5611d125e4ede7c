import { at, ownerOf, hasAllItems } from '../../shape/view.js'
import { childOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

export const parentScopeNarrower = {
  code: 'SVC4403',
  slug: 'parent-scope-narrower',
  severity: 'warning',
  source: 'D',
  section: '2.4,2.8',
  description: 'A composition asks for every scope of its steps.',
  why: "Steps run under the caller's token, which must cover them.",
  ofStep(facts, report) {
    const own = facts.capability.minimum_scope
    if (own === undefined || !hasAllItems(own)) return
    for (const scope of childOf(facts, facts.step)?.minimum_scope ?? [])
      if (!own.includes(scope))
        report(
          at(facts.step, 'capability'),
          `The step \`${facts.step.capability}\` needs \`${scope}\`, which the parent does not ask for.`,
          { related: [{ span: ownerOf(own), message: 'The parent asks for these.' }] },
        )
  },
} satisfies Rule
