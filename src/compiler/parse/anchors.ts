import type { Report } from '../finding.js'
import { nearest } from '../nearest.js'
import type { ReadLimits } from './limits.js'
import type { PlacedSource } from './sources.js'
import type { ScalarNode, Spot, YamlNode } from './tree.js'

export interface Anchors {
  define(start: number, end: number, node: YamlNode): void
  /** The node that an alias stands for; null in its place when it stands for none. */
  resolve(start: number, end: number, open: readonly YamlNode[]): YamlNode
  reportUnused(): void
  /** Whether the aliases stand for more nodes than allowed. */
  exploded(): boolean
}

interface Anchor {
  readonly node: YamlNode
  readonly spot: Spot
  used: boolean
}

export function createAnchors(source: PlacedSource, report: Report, limits: ReadLimits): Anchors {
  const byName = new Map<string, Anchor>()
  const all: Anchor[] = []
  const sizes = new Map<YamlNode, number>()
  let aliased = 0
  const name = (start: number, end: number): string => source.text.slice(start, end)
  const spotOf = (start: number, end: number): Spot => ({ start: start + source.base - 1, end: end + source.base })

  return {
    define(start, end, node) {
      const anchor = { node, spot: spotOf(start, end), used: false }
      byName.set(name(start, end), anchor)
      all.push(anchor)
    },
    resolve(start, end, open) {
      const anchor = byName.get(name(start, end))
      const spot = spotOf(start, end)
      if (anchor === undefined) return unknownAlias(name(start, end), spot, [...byName.keys()], report)
      anchor.used = true
      if (open.includes(anchor.node)) return cycle(name(start, end), spot, anchor, report)
      const before = aliased
      aliased += sizeOf(anchor.node, sizes)
      if (before <= limits.aliasNodes && aliased > limits.aliasNodes) bomb(spot, limits, report)
      return aliased > limits.aliasNodes ? nothing(spot) : anchor.node
    },
    reportUnused() {
      for (const { used, spot } of all)
        if (!used)
          report(
            'SVC0124',
            spot,
            `The anchor \`${source.text.slice(spot.start - source.base, spot.end - source.base)}\` is never used; remove it.`,
          )
    },
    exploded: () => aliased > limits.aliasNodes,
  }
}

/** Nodes under a node, aliases expanded. Each anchored node is measured once: what it holds is closed by then. */
function sizeOf(node: YamlNode, sizes: Map<YamlNode, number>): number {
  const known = sizes.get(node)
  if (known !== undefined) return known
  const children = node.kind === 'scalar' ? [] : node.kind === 'list' ? node.items : node.values
  let size = weightOf(node)
  for (const child of children) size += child.kind === 'scalar' ? weightOf(child) : sizeOf(child, sizes)
  sizes.set(node, size)
  return size
}

/** A long text weighs as many nodes as it has stretches of 256 characters. */
const weightOf = (node: YamlNode): number =>
  node.kind === 'scalar' && typeof node.value === 'string' ? 1 + (node.value.length >> 8) : 1

const nothing = (spot: Spot): ScalarNode => ({
  kind: 'scalar',
  start: spot.start,
  end: spot.end,
  value: null,
  plain: false,
  broken: true,
})

function unknownAlias(name: string, spot: Spot, names: readonly string[], report: Report): YamlNode {
  if (!/^[\w-]/u.test(name)) {
    const fix = [{ spot, newText: `"*${name}"` }]
    report('SVC0123', spot, `\`*${name}\` is read as an alias; quote it: "*${name}".`, { fix })
    return nothing(spot)
  }
  const near = nearest(name, names)
  const question = near === undefined ? '' : ` Did you mean \`*${near}\`?`
  report(
    'SVC0108',
    spot,
    `The alias \`*${name}\` has no anchor before it.${question}`,
    near === undefined ? {} : { suggestion: `*${near}` },
  )
  return nothing(spot)
}

function cycle(name: string, spot: Spot, anchor: Anchor, report: Report): YamlNode {
  const related = [{ spot: anchor.spot, message: 'The anchor is here.' }]
  report('SVC0110', spot, `The anchor \`${name}\` contains itself.`, { related })
  return nothing(spot)
}

function bomb(spot: Spot, limits: ReadLimits, report: Report): void {
  report(
    'SVC0109',
    spot,
    `The aliases stand for more than ${limits.aliasNodes.toLocaleString('en')} nodes; write less by alias.`,
  )
}
