import { indexOfKey, valueAt, type YamlNode } from '../parse/tree.js'
import type { SourceMap } from '../parse/sources.js'
import { nearest } from '../nearest.js'
import { NODE } from '../shape/view.js'
import type { CapabilityView, ManifestView, RuleContext } from './rule.js'

/** Names that are compared in search of the one that was meant; beyond, a wrong name gets no suggestion. */
const MOST_COMPARED = 1_000_000

/** Knowledge of the caller beside the manifest. */
export interface Surroundings {
  /** The time of the check in ms since 1970; without it expiry is not checked. */
  readonly now?: number
  /** Other services of the workspace, so that hints to them can be checked: id -> names of capabilities. */
  readonly services?: ReadonlyMap<string, ReadonlySet<string>>
}

/** All that rules may know of a manifest. */
export function ruleContextOf(
  manifest: ManifestView,
  roots: readonly YamlNode[],
  sources: SourceMap,
  { now, services = new Map() }: Surroundings,
): RuleContext {
  const capabilities = new Map(Object.entries(manifest.capabilities ?? {}) as [string, CapabilityView][])
  const nodes = [manifest[NODE], ...roots].flatMap((root) => capabilitiesIn(root) ?? [])
  const computed = new Map<unknown, unknown>()
  const meant = new Map<string, string | undefined>()
  let compared = 0
  const context: RuleContext = {
    manifest,
    capabilities,
    roots,
    declares: (name) =>
      capabilities.has(name) ||
      nodes.length === 0 ||
      nodes.some((node) => node.kind === 'map' && (node.faults?.has(name) || indexOfKey(node, name) !== -1)),
    nearestCapability(name) {
      if (!meant.has(name)) meant.set(name, compared > MOST_COMPARED ? undefined : nearest(name, capabilities.keys()))
      compared += capabilities.size
      return meant.get(name)
    },
    written: sources.text,
    fileOf: ({ start }) => sources.fileAt(start).text,
    services,
    ...(now === undefined ? {} : { now }),
    once(compute) {
      if (!computed.has(compute)) computed.set(compute, compute(context))
      return computed.get(compute) as ReturnType<typeof compute>
    },
  }
  return context
}

const capabilitiesIn = (root: YamlNode): YamlNode | undefined =>
  root.kind === 'map' ? valueAt(root, 'capabilities') : undefined
