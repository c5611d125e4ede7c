import { at } from '../../shape/view.js'
import { rareNeighbour, occurrencesOf } from '../facts/nearby.js'
import { meant } from '../../nearest.js'
import type { Rule, RuleContext } from '../rule.js'

const resolversOf = ({ capabilities }: RuleContext) =>
  occurrencesOf(
    [...capabilities.values()].flatMap(({ inputs = [] }) =>
      [...inputs].flatMap(({ resolution }) => resolution?.resolver_ref ?? []),
    ),
  )

export const resolverNearMiss = {
  code: 'SVC2419',
  slug: 'resolver-near-miss',
  severity: 'warning',
  source: 'L',
  section: '2.6',
  description: 'A resolver that is named once does not resemble one that is named often.',
  needs: 'resolution',
  ofInput({ once, input: { resolution } }, report) {
    const reference = resolution?.resolver_ref
    if (reference === undefined) return
    const uses = once(resolversOf)
    const near = rareNeighbour(reference, uses)
    if (near !== undefined)
      report(
        at(resolution!, 'resolver_ref'),
        `\`${reference}\` is named once, \`${near}\` ${uses.get(near)} times. Did you mean \`${near}\`?`,
        meant(near),
      )
  },
} satisfies Rule
