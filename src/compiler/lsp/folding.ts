import type { Span } from '../finding.js'
import type { YamlNode } from '../parse/tree.js'

export interface Fold extends Span {
  readonly isComment: boolean
}

/** Returns the foldable ranges: each collection and text below its key, and each run of comment lines. */
export const foldsOf = (root: YamlNode, text: string, base: number): readonly Fold[] => [
  ...foldsIn(root),
  ...commentBlocks(text, base),
]

function* foldsIn(node: YamlNode): Generator<Fold> {
  if (node.kind === 'list')
    for (const item of node.items) {
      if (item.kind !== 'scalar') yield { start: item.start, end: item.end, isComment: false }
      yield* foldsIn(item)
    }
  if (node.kind !== 'map') return
  for (const [index, key] of node.keys.entries()) {
    const value = node.values[index]
    if (value === undefined) continue
    yield { start: key.start, end: value.end, isComment: false }
    yield* foldsIn(value)
  }
}

function* commentBlocks(text: string, base: number): Generator<Fold> {
  for (const { index, 0: block } of text.matchAll(/^(?:[ \t]*#[^\n]*\n){2,}/gmu))
    yield { start: base + index, end: base + index + block.length - 1, isComment: true }
}
