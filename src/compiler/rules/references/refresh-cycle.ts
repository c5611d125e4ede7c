import { listed } from '../facts/references.js'
import { cyclesOf, otherEdges } from '../facts/cycles.js'
import type { Rule } from '../rule.js'

export const refreshCycle = {
  code: 'SVC3009',
  slug: 'refresh-cycle',
  severity: 'warning',
  source: 'D',
  section: '2.4',
  law: 'Capabilities do not refresh each other in a circle.',
  why: 'An agent may loop.',
  ofManifest(whole, tell) {
    const edges = (name: string) =>
      listed('refresh_via', whole.capabilities.get(name)!.refresh_via).filter((each) =>
        whole.capabilities.has(each.name),
      )
    for (const cycle of cyclesOf(whole, edges))
      tell(cycle.edges[0]!.spot, `The refreshes go in a circle: ${cycle.names.join(' -> ')}; an agent may loop.`, {
        related: otherEdges(cycle, 'is refreshed by'),
      })
  },
} satisfies Rule
