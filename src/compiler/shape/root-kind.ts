import type { Report } from '../finding.js'
import type { Shape } from './field.js'
import type { YamlNode } from '../parse/tree.js'

/** A document that is no mapping. */
export function reportRootKind(node: YamlNode, { title }: Shape, report: Report): undefined {
  if (node.kind === 'scalar' && node.broken) return
  if (node.kind === 'scalar' && node.value === null)
    report('SVC0105', node, `The file has no document; write a ${title} in it.`)
  else
    report(
      'SVC0106',
      { start: node.start, end: node.kind === 'list' ? node.start + 1 : node.end },
      `A ${title} is a mapping; this is a ${node.kind === 'list' ? 'list' : 'single value'}.`,
    )
}
