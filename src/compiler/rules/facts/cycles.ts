import type { RelatedSpan } from '../../finding.js'
import type { Span } from '../../parse/tree.js'
import type { RuleContext } from '../rule.js'
import type { Reference } from './references.js'

export interface Cycle {
  /** From the capability that is declared first, back to it. */
  readonly names: readonly string[]
  readonly edges: readonly { readonly from: string; readonly to: string; readonly span: Span }[]
}

type Edges = (name: string) => readonly Reference[]

/** The cycles of two or more capabilities, each once. One that names itself has a rule of its own. */
export function cyclesOf({ capabilities }: RuleContext, edges: Edges): readonly Cycle[] {
  const cycles: Cycle[] = []
  const done = new Set<string>()
  for (const start of capabilities.keys()) walk(start, edges, done, cycles)
  return cycles
}

interface Visit {
  readonly name: string
  readonly out: readonly Reference[]
  next: number
}

/** Depth first, without recursion: chains may be as long as the manifest. */
function walk(start: string, edges: Edges, done: Set<string>, cycles: Cycle[]): void {
  if (done.has(start)) return
  const out = edges(start)
  if (out.length === 0) return void done.add(start)
  const path: Visit[] = [{ name: start, out, next: 0 }]
  const depth = new Map([[start, 0]])
  for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
    const edge = visit.out[visit.next++]
    if (edge === undefined) {
      done.add(visit.name)
      depth.delete(visit.name)
      path.pop()
    } else if (edge.name === visit.name || done.has(edge.name)) continue
    else if (depth.has(edge.name)) cycles.push(cycleOf(path.slice(depth.get(edge.name))))
    else {
      depth.set(edge.name, path.length)
      path.push({ name: edge.name, out: edges(edge.name), next: 0 })
    }
  }
}

function cycleOf(visits: readonly Visit[]): Cycle {
  const edges = visits.map(({ name, out, next }) => ({
    from: name,
    to: out[next - 1]!.name,
    span: out[next - 1]!.span,
  }))
  return { names: [...visits.map(({ name }) => name), visits[0]!.name], edges }
}

/** The edges of a cycle but the first, as related places. */
export const otherEdges = ({ edges }: Cycle, verb: string): readonly RelatedSpan[] =>
  edges.slice(1).map(({ from, to, span }) => ({ span, message: `\`${from}\` ${verb} \`${to}\` here.` }))
