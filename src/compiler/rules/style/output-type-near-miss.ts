import { at } from '../../shape/view.js'
import { rareNeighbour, occurrencesOf } from '../facts/nearby.js'
import { meant } from '../../nearest.js'
import type { Rule, RuleContext } from '../rule.js'

const typesOf = ({ capabilities }: RuleContext) =>
  occurrencesOf([...capabilities.values()].flatMap(({ output }) => output?.type ?? []))

export const outputTypeNearMiss = {
  code: 'SVC6113',
  slug: 'output-type-near-miss',
  severity: 'info',
  source: 'L',
  section: '2.4',
  description: 'An output type that is used once does not resemble one that is used often.',
  ofCapability({ once, capability: { output } }, report) {
    if (output?.type === undefined) return
    const uses = once(typesOf)
    const near = rareNeighbour(output.type, uses)
    if (near !== undefined)
      report(
        at(output, 'type'),
        `The output type \`${output.type}\` is used once, \`${near}\` ${uses.get(near)} times. Did you mean ` +
          `\`${near}\`?`,
        meant(near),
      )
  },
} satisfies Rule
