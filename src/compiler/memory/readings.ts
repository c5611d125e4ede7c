import type { Finding } from '../finding.js'
import type { YamlNode } from '../parse/tree.js'
import type { Field } from '../shape/field.js'
import { recall, remember, type Remembered } from './remembered.js'

/** What a capability was read as, and what was found in doing so. */
interface ReadingOf {
  readonly field: Field
  readonly view: unknown
  readonly findings: readonly Remembered[]
}

/** Reads a capability, or says again what was read when its text was the same. */
export type ReadAgain = (field: Field, node: YamlNode, read: () => unknown) => unknown

/** The readings of capabilities whose nodes are kept. Only `isKept` nodes are ever met again. */
export function createReadings() {
  const known = new WeakMap<YamlNode, ReadingOf>()
  return (findings: Finding[], isKept: (node: YamlNode) => boolean): ReadAgain =>
    (field, node, read) => {
      if (!isKept(node)) return read()
      const before = known.get(node)
      if (before?.field === field) {
        findings.push(...before.findings.map(recall))
        return before.view
      }
      if (before !== undefined) forgetFaults(node)
      const from = findings.length
      const view = read()
      const made = findings.slice(from).map((finding) => remember(finding, () => node)!)
      known.set(node, { field, view, findings: made })
      return view
    }
}

/** What an earlier reading said of a node's fields would silence the next one. */
function forgetFaults(node: YamlNode): void {
  if (node.kind === 'list') for (const item of node.items) forgetFaults(item)
  if (node.kind !== 'map') return
  node.faults = undefined
  for (const value of node.values) forgetFaults(value)
}
