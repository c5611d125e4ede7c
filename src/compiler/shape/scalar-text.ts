import { oldBooleanOf } from '../parse/scalars.js'
import type { ScalarNode } from '../parse/tree.js'
import type { Owner } from './reading.js'

/** An empty scalar has the place of its key, or no length. */
export const isUnwritten = (node: ScalarNode, owner: Owner): boolean =>
  node.plain && node.value === null && (node.start === node.end || node.start === owner.span.start)

/** A text as YAML: quoted as it was, or where it must be. */
export const quoted = (text: string, node: ScalarNode): string =>
  node.plain && /^[A-Za-z/$][\w./$-]*$/u.test(text) && oldBooleanOf(text) === undefined ? text : JSON.stringify(text)
