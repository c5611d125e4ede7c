import { arrow, boxAt, GAP, heightOf, widest, type Box, type Drawing } from './layout.js'
import type { Shown } from './read.js'

/** More than this is no picture. */
export const MOST_BOXES = 60

interface Edge {
  readonly from: string
  readonly to: string
  readonly isStep: boolean
}

/** Returns the edges: from prerequisites and sources, and from steps to their compositions. */
export const edgesOf = (all: readonly Shown[]): readonly Edge[] => {
  const names = new Set(all.map(({ name }) => name))
  const edges = all.flatMap(({ name, capability: { requires = [], requires_binding = [], composition } }) => [
    ...[
      ...requires.map((each) => each.capability),
      ...requires_binding.flatMap(({ source_capability }) => source_capability ?? []),
    ].map((from) => ({ from, to: name, isStep: false })),
    ...(composition?.steps ?? []).map((step) => ({ from: step.capability, to: name, isStep: true })),
  ])
  return edges.filter(
    ({ from, to }, index) =>
      from !== to && names.has(from) && edges.findIndex((each) => each.from === from && each.to === to) === index,
  )
}

/** Columns from left to right: each capability stands right of all that come before it. */
export function wholeLayout(edges: readonly Edge[]): Drawing {
  const columns = columnsOf(edges)
  const rows = Math.max(1, ...columns.map((names) => names.length))
  const boxes = new Map<string, Box>()
  let x = 1
  for (const unordered of columns) {
    const names = inOrder(unordered, edges, boxes)
    const width = widest(names.map((name) => ({ name })))
    names.forEach((name, row) => boxes.set(name, boxAt({ name }, x, row + (rows - names.length) / 2, width)))
    x += width + GAP + 12
  }
  const lines = edges.map(({ from, to, isStep }) => ({ d: arrow(boxes.get(from)!, boxes.get(to)!), isDashed: isStep }))
  return { width: x - GAP - 11, height: heightOf(rows), boxes: [...boxes.values()], lines }
}

/** Each as high as what comes before it, so that fewer lines cross. */
function inOrder(
  names: readonly string[],
  edges: readonly Edge[],
  placed: ReadonlyMap<string, Box>,
): readonly string[] {
  const heightFor = (name: string): number => {
    const before = edges.flatMap(({ from, to }) => (to === name ? (placed.get(from)?.y ?? []) : []))
    return before.reduce((sum, y) => sum + y, 0) / Math.max(1, before.length)
  }
  return [...names].sort((one, other) => heightFor(one) - heightFor(other))
}

/** Names by their column, in each in the order of the alphabet. A circle, which no valid manifest has, stands still. */
function columnsOf(edges: readonly Edge[]): readonly (readonly string[])[] {
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].sort()
  const column = new Map(names.map((name) => [name, 0]))
  for (let round = 0; round < names.length; round++)
    for (const { from, to } of edges)
      column.set(to, Math.min(names.length, Math.max(column.get(to)!, column.get(from)! + 1)))
  const used = [...new Set(column.values())].sort((one, other) => one - other)
  return used.map((each) => names.filter((name) => column.get(name) === each))
}
