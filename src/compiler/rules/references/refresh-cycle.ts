import { listed } from '../facts/references.js'
import { cyclesOf, otherEdges } from '../facts/cycles.js'
import type { Rule } from '../rule.js'

export const refreshCycle = {
  code: 'SVC3009',
  slug: 'refresh-cycle',
  severity: 'warning',
  source: 'D',
  section: '2.4',
  description: 'Capabilities do not refresh each other in a circle.',
  why: 'An agent may loop.',
  ofManifest(context, report) {
    const edges = (name: string) =>
      listed('refresh_via', context.capabilities.get(name)!.refresh_via).filter((each) =>
        context.capabilities.has(each.name),
      )
    for (const cycle of cyclesOf(context, edges))
      report(cycle.edges[0]!.span, `The refreshes go in a circle: ${cycle.names.join(' -> ')}; an agent may loop.`, {
        related: otherEdges(cycle, 'is refreshed by'),
      })
  },
} satisfies Rule
