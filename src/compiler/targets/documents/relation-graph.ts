import type { Capability } from '../../../protocol/manifest.js'
import type { Plan } from '../../plan/plan.js'

/** Relations of a capability to others: who, and how a line says it. */
const RELATIONS: readonly (readonly [label: string, of: (capability: Capability) => readonly string[]])[] = [
  ['requires', ({ requires = [] }) => requires.map(({ capability }) => capability)],
  ['step', ({ composition }) => (composition?.steps ?? []).map(({ capability }) => capability)],
  ['refresh', ({ refresh_via = [] }) => refresh_via],
  ['verify', ({ verify_via = [] }) => verify_via],
  ['undo', ({ side_effect: { compensation } }) => (compensation === undefined ? [] : [compensation])],
]

/** A Mermaid graph of prerequisites, compositions and recoveries; nothing where nothing is related. */
export function relationGraph({ capabilities }: Plan): readonly string[] {
  const numbers = new Map(capabilities.map(({ name }, index) => [name, index]))
  const edges = capabilities.flatMap(({ name, declaration }) =>
    RELATIONS.flatMap(([label, of]) =>
      [...new Set(of(declaration))]
        .filter((other) => numbers.has(other))
        .map((other) => ({ from: name, label, to: other })),
    ),
  )
  if (edges.length === 0) return []
  const related = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].sort()
  return [
    '```mermaid',
    'graph LR',
    ...related.map((name) => `  c${numbers.get(name)}["${name.replaceAll(/[^\w.]/gu, '')}"]`),
    ...edges.map(({ from, label, to }) => `  c${numbers.get(from)} -- ${label} --> c${numbers.get(to)}`),
    '```',
    '',
  ]
}
