import { check } from '../../compiler/check.js'
import { newMemo, rememberNothing, type Remember } from '../../compiler/plan/memo.js'
import type { Capability } from '../../protocol/manifest.js'
import type { Standing } from './outputs.js'

/** Results of the last build, kept by a watcher so that an edit costs only what it changes. */
export interface BuildMemory {
  readonly remember: Remember
  readonly check: typeof check
  /** Files written to each folder; not recorded if absent. */
  readonly stood?: { readonly generated: Map<string, Standing>; readonly dist: Map<string, Standing> }
}

/** For a single build. */
export const NO_MEMORY: BuildMemory = { remember: rememberNothing, check }

/** For who builds again and again. */
export const newBuildMemory = (): BuildMemory => ({
  remember: newMemo(),
  check: checkKeepingCapabilities(),
  stood: { generated: new Map(), dist: new Map() },
})

/** A capability that says what it said the last time is the very same object: what was made of it is found again. */
function checkKeepingCapabilities(): typeof check {
  let known = new Map<string, { readonly text: string; readonly capability: Capability }>()
  return (sources, options) => {
    const { manifest, ...checked } = check(sources, options)
    if (manifest === undefined) return checked
    const entries = Object.entries(manifest.capabilities).map(([name, capability]) => {
      const text = JSON.stringify(capability)
      const last = known.get(name)
      return [name, last?.text === text ? last : { text, capability }] as const
    })
    known = new Map(entries)
    const capabilities = Object.fromEntries(entries.map(([name, { capability }]) => [name, capability]))
    return { ...checked, manifest: { ...manifest, capabilities } }
  }
}
