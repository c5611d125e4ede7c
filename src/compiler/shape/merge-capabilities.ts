import type { Report } from '../finding.js'
import { NODE, OWNER, type CapabilityView, type ManifestView } from './view.js'
import { valueAt } from '../parse/tree.js'
import { mergeSchemas } from './merge-schemas.js'

/** The manifest with the capabilities of its fragments. A name declared twice is an error that shows both places. */
export function mergeCapabilities(
  root: ManifestView,
  fragments: readonly (ManifestView | undefined)[],
  report: Report,
): ManifestView {
  if (fragments.length === 0 || (root.capabilities === undefined && valueAt(root[NODE], 'capabilities') !== undefined))
    return root
  const own = root.capabilities ?? (Object.create(null) as Named)
  for (const fragment of fragments) {
    for (const [name, capability] of Object.entries(fragment?.capabilities ?? {})) {
      if (capability === undefined) continue
      const first = own[name]
      if (first === undefined) (own as Named)[name] = capability
      else
        report('SVC1005', capability[OWNER], `The capability \`${name}\` is declared twice; rename or remove one.`, {
          related: [{ span: first[OWNER], message: 'It is declared here first.' }],
        })
    }
    const node = fragment === undefined ? undefined : valueAt(fragment[NODE], 'capabilities')
    const home = valueAt(root[NODE], 'capabilities')
    if (node?.kind === 'map' && home?.kind === 'map')
      for (const fault of node.faults ?? []) (home.faults ??= new Set()).add(fault)
  }
  return { ...root, [NODE]: mergeSchemas(root, fragments, report), capabilities: own } as ManifestView
}

type Named = { [name: string]: CapabilityView }
