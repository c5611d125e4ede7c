import type { Source } from '../diagnostics.js'
import type { Report } from '../finding.js'
import { mayInclude } from './may-include.js'
import { readDocument } from './read-document.js'
import { valueAt, type YamlNode } from './tree.js'

/**
 * Reason why the files of an include, or the file of a `$ref`, are missing. The file reader finds it; the checker
 * reports it at the reference.
 */
export interface IncludeProblem {
  readonly pattern: string
  /** The file with the `$ref` that names it, where a schema does and no `include`. */
  readonly file?: string
  readonly code: string
  readonly message: string
}

/** An include that leads out of the folder of the manifest. */
export const LEAVING_INCLUDE = /^(?:[/\\~]|[a-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)/iu

/** The globs that a manifest includes. A manifest that cannot hold the key is not parsed for it. */
export function includesOf({ file, text }: Source): readonly string[] {
  return mayInclude(text) ? includesIn(readDocument({ file, text, base: 0 }, () => undefined)) : []
}

/** The same of a manifest that is read already. */
export const includesIn = (root: YamlNode | undefined): readonly string[] =>
  root === undefined ? [] : patternsOf(root).map((item) => String(item.value))

/** Reports each problem at the item that wrote the pattern. */
export function reportIncludes(root: YamlNode, problems: readonly IncludeProblem[], report: Report): void {
  for (const item of patternsOf(root)) {
    const problem = problems.find(({ pattern, file }) => file === undefined && pattern === item.value)
    if (problem !== undefined) report(problem.code, item, problem.message)
  }
}

function patternsOf(root: YamlNode) {
  const list = root.kind === 'map' ? valueAt(root, 'include') : undefined
  if (list?.kind !== 'list') return []
  return list.items.flatMap((item) => (item.kind === 'scalar' && typeof item.value === 'string' ? [item] : []))
}
