import { ownerOf } from '../../shape/view.js'
import { changesSomething } from '../facts/effects.js'
import type { Rule } from '../rule.js'

const READS = /(?:^|[.:_-])(?:read|readonly|view|list|get)$/u

export const scopeWeakerThanEffect = {
  code: 'SVC2207',
  slug: 'scope-weaker-than-effect',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'A capability that changes something asks for more than a read scope.',
  ofCapability({ capability }, report) {
    const scopes = capability.minimum_scope
    if (
      scopes === undefined ||
      scopes.length === 0 ||
      !changesSomething(capability) ||
      !scopes.every((scope) => READS.test(scope))
    )
      return
    report(
      ownerOf(scopes),
      `\`${capability.side_effect!.type}\` asks only for ${scopes.join(', ')}; ask for a scope of its own.`,
    )
  },
} satisfies Rule
