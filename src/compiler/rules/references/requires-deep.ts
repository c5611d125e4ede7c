import { keyOf } from '../../shape/view.js'
import type { Rule, RuleContext } from '../rule.js'

const LONGEST = 5

/** The capabilities whose longest chain is one longer: in a circle every chain goes on, which SVC3003 tells. */
const justTooDeep = ({ capabilities }: RuleContext): ReadonlySet<string> => {
  const above = (deep: ReadonlySet<string | undefined>): ReadonlySet<string> => {
    const leads = [...capabilities].filter(([, { requires }]) => requires?.some((each) => deep.has(each.capability)))
    return new Set(leads.map(([name]) => name))
  }
  let deep: ReadonlySet<string> = new Set(capabilities.keys())
  for (let length = 0; length <= LONGEST; length++) deep = above(deep)
  const deeper = above(deep)
  return new Set([...deep].filter((name) => !deeper.has(name)))
}

export const requiresDeep = {
  code: 'SVC3018',
  slug: 'requires-deep',
  severity: 'info',
  source: 'L',
  section: '2.4',
  description: 'A chain of prerequisites is at most 5 long.',
  ofCapability({ name, capability, once }, report) {
    if (once(justTooDeep).has(name))
      report(keyOf(capability, 'requires'), `The chain of prerequisites is ${LONGEST + 1} deep; agents lose their way.`)
  },
} satisfies Rule
