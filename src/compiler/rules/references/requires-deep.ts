import { keyOf } from '../../shape/view.js'
import type { Rule, RuleContext } from '../rule.js'

const LONGEST = 5

const depthsOf = ({ capabilities }: RuleContext): ReadonlyMap<string, number> => {
  const depths = new Map<string, number>()
  const depth = (name: string, seen: readonly string[]): number => {
    const known = depths.get(name)
    if (known !== undefined || seen.length > 50 || seen.includes(name)) return known ?? 0
    const next = [...(capabilities.get(name)?.requires ?? [])].flatMap((each) =>
      each.capability === undefined || !capabilities.has(each.capability)
        ? []
        : [1 + depth(each.capability, [...seen, name])],
    )
    const found = Math.max(0, ...next)
    depths.set(name, found)
    return found
  }
  for (const name of capabilities.keys()) depth(name, [])
  return depths
}

export const requiresDeep = {
  code: 'SVC3018',
  slug: 'requires-deep',
  severity: 'info',
  source: 'L',
  section: '2.4',
  description: 'A chain of prerequisites is at most 5 long.',
  ofCapability({ name, capability, once }, report) {
    const depth = capability.requires === undefined ? 0 : (once(depthsOf).get(name) ?? 0)
    if (depth === LONGEST + 1)
      report(keyOf(capability, 'requires'), `The chain of prerequisites is ${depth} deep; agents lose their way.`)
  },
} satisfies Rule
