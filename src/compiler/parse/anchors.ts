import type { Report } from '../finding.js'
import { meant, nearest } from '../nearest.js'
import type { ReadLimits } from './limits.js'
import type { PlacedSource } from './sources.js'
import type { ScalarNode, Span, YamlNode } from './tree.js'

export interface Anchors {
  define(start: number, end: number, node: YamlNode): void
  /** The node that an alias stands for; null in its place when it stands for none. */
  resolve(start: number, end: number, open: readonly YamlNode[]): YamlNode
  reportUnused(): void
  /** Checks whether the aliases expand to more nodes than allowed. */
  exploded(): boolean
}

interface Anchor {
  readonly node: YamlNode
  readonly span: Span
  used: boolean
}

export function createAnchors(source: PlacedSource, report: Report, limits: ReadLimits): Anchors {
  const byName = new Map<string, Anchor>()
  const all: Anchor[] = []
  const sizes = new Map<YamlNode, number>()
  let aliased = 0
  const name = (start: number, end: number): string => source.text.slice(start, end)
  const spanOf = (start: number, end: number): Span => ({ start: start + source.base - 1, end: end + source.base })

  return {
    define(start, end, node) {
      const anchor = { node, span: spanOf(start, end), used: false }
      byName.set(name(start, end), anchor)
      all.push(anchor)
    },
    resolve(start, end, open) {
      const anchor = byName.get(name(start, end))
      const span = spanOf(start, end)
      if (anchor === undefined) return unknownAlias(name(start, end), span, byName, report)
      anchor.used = true
      if (open.includes(anchor.node)) return cycle(name(start, end), span, anchor, report)
      const before = aliased
      aliased += sizeOf(anchor.node, sizes)
      if (before <= limits.aliasNodes && aliased > limits.aliasNodes) bomb(span, limits, report)
      return aliased > limits.aliasNodes ? nothing(span) : anchor.node
    },
    reportUnused() {
      for (const { used, span } of all)
        if (!used)
          report(
            'SVC0124',
            span,
            `The anchor \`${source.text.slice(span.start - source.base, span.end - source.base)}\` is never ` +
              'used; remove it.',
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

const nothing = (span: Span): ScalarNode => ({
  kind: 'scalar',
  start: span.start,
  end: span.end,
  value: null,
  plain: false,
  broken: true,
})

function unknownAlias(name: string, span: Span, byName: ReadonlyMap<string, Anchor>, report: Report): YamlNode {
  if (!/^[\w-]/u.test(name)) {
    const fix = [{ span, newText: `"*${name}"` }]
    report('SVC0123', span, `\`*${name}\` is read as an alias; quote it: "*${name}".`, { fix })
    return nothing(span)
  }
  const near = nearest(name, byName.keys())
  // Its anchor is used by it, most likely.
  if (near !== undefined) byName.get(near)!.used = true
  const question = near === undefined ? '' : ` Did you mean \`*${near}\`?`
  report('SVC0108', span, `The alias \`*${name}\` has no anchor before it.${question}`, meant(near && `*${near}`))
  return nothing(span)
}

function cycle(name: string, span: Span, anchor: Anchor, report: Report): YamlNode {
  const related = [{ span: anchor.span, message: 'The anchor is here.' }]
  report('SVC0110', span, `The anchor \`${name}\` contains itself.`, { related })
  return nothing(span)
}

function bomb(span: Span, limits: ReadLimits, report: Report): void {
  report(
    'SVC0109',
    span,
    `The aliases stand for more than ${limits.aliasNodes.toLocaleString('en')} nodes; write less by alias.`,
  )
}
