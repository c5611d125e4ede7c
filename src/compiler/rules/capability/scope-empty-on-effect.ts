import { ownerOf, hasAllItems } from '../../shape/view.js'
import { changesSomething } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const scopeEmptyOnEffect = {
  code: 'SVC2204',
  slug: 'scope-empty-on-effect',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'A capability that changes something needs a scope.',
  why: 'Otherwise every token may call it.',
  ofCapability({ capability }, report) {
    const scopes = capability.minimum_scope
    if (scopes?.length !== 0 || !hasAllItems(scopes) || !changesSomething(capability)) return
    report(
      ownerOf(scopes),
      `\`${capability.side_effect!.type}\` with \`minimum_scope: []\`: every token may call it; require a scope.`,
    )
  },
} satisfies Rule
