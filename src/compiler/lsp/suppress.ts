import type { Diagnostic } from '../diagnostics.js'
import type { Span } from '../finding.js'
import type { YamlNode } from '../parse/tree.js'
import { ruleOf } from '../rules/index.js'

/** A comment above a line, which suppresses one rule there. */
export interface SuppressingComment {
  /** Beginning of the line within its file. */
  readonly offset: number
  /** Up to where the reason stands. */
  readonly text: string
}

/** Returns the comment that suppresses a finding; undefined for errors, and where a comment would be text. */
export function suppressionOf(
  { code, range }: Diagnostic,
  text: string,
  root: YamlNode | undefined,
  base: number,
): SuppressingComment | undefined {
  if (ruleOf(code).severity === 'error' || text.trimStart().startsWith('{')) return undefined
  const offset = text.lastIndexOf('\n', range.start.offset - 1) + 1
  if (root !== undefined && isWithinScalar(root, base + offset)) return undefined
  const indent = /^[ \t]*/u.exec(text.slice(offset))?.[0] ?? ''
  return { offset, text: `${indent}# svc-disable-next-line ${code} -- ` }
}

function isWithinScalar(node: YamlNode, offset: number): boolean {
  if (offset <= node.start || offset > node.end) return false
  return parts(node).some((part) => (part.kind === 'scalar' ? isInside(part, offset) : isWithinScalar(part, offset)))
}

const parts = (node: YamlNode): readonly YamlNode[] =>
  node.kind === 'scalar' ? [node] : node.kind === 'list' ? node.items : [...node.keys, ...node.values]

const isInside = ({ start, end }: Span, offset: number): boolean => start < offset && offset < end
