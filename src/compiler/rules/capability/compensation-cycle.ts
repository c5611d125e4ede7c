import { referencesOf } from '../facts/references.js'
import { cyclesOf, otherEdges } from '../facts/cycles.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const compensationCycle = {
  code: 'SVC2108',
  slug: 'compensation-cycle',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: 'Capabilities do not compensate each other in a circle.',
  whyNot: OTHER_CAPABILITY,
  ofManifest(context, report) {
    const edges = (name: string) =>
      referencesOf(context.capabilities.get(name)!).filter(
        (each) => each.field === 'compensation' && context.capabilities.has(each.name),
      )
    for (const cycle of cyclesOf(context, edges))
      report(cycle.edges[0]!.span, `The compensations go in a circle: ${cycle.names.join(' -> ')}.`, {
        related: otherEdges(cycle, 'is compensated by'),
      })
  },
} satisfies Rule
