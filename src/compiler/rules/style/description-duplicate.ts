import { at } from '../../shape/view.js'
import type { Rule, RuleContext } from '../rule.js'

const firstsOf = ({ capabilities }: RuleContext): ReadonlyMap<string, string> => {
  const firsts = new Map<string, string>()
  for (const [name, { description }] of capabilities)
    if (description !== undefined && !firsts.has(description)) firsts.set(description, name)
  return firsts
}

export const descriptionDuplicate = {
  code: 'SVC6103',
  slug: 'description-duplicate',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'No two capabilities have the same description.',
  why: 'An agent could not choose.',
  ofCapability({ name, capability, capabilities, once }, report) {
    const first = capability.description === undefined ? name : once(firstsOf).get(capability.description)
    if (first === undefined || first === name) return
    report(
      at(capability, 'description'),
      `\`${first}\` has the same description: an agent cannot choose between them.`,
      {
        related: [{ span: at(capabilities.get(first)!, 'description'), message: `\`${first}\` is described here.` }],
      },
    )
  },
} satisfies Rule
