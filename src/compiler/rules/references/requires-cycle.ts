import { referencesOf } from '../facts/references.js'
import { cyclesOf, otherEdges } from '../facts/cycles.js'
import type { Rule } from '../rule.js'

export const requiresCycle = {
  code: 'SVC3003',
  slug: 'requires-cycle',
  severity: 'error',
  source: 'D',
  section: '2.4',
  law: 'Prerequisites do not go in a circle.',
  ofManifest(whole, tell) {
    const edges = (name: string) =>
      referencesOf(whole.capabilities.get(name)!).filter(
        (each) => each.field === 'requires' && whole.capabilities.has(each.name),
      )
    for (const cycle of cyclesOf(whole, edges))
      tell(cycle.edges[0]!.spot, `The prerequisites go in a circle: ${cycle.names.join(' -> ')}.`, {
        related: otherEdges(cycle, 'requires'),
      })
  },
} satisfies Rule
