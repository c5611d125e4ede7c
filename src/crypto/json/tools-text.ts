import type { Manifest } from '../../protocol/manifest.js'
import { toolsOf } from '../../protocol/tools.js'
import { canonicalText } from './canonical.js'

/** `tools.json` of a manifest as it is served and digested, and the texts of its tools. */
export interface ToolsText {
  readonly whole: string
  readonly tools: readonly string[]
}

/** The tools of a manifest in canonical form (RFC 8785); members stand in the order of their names. */
export function toolsText(manifest: Manifest): ToolsText {
  const { service_id, tools } = toolsOf(manifest)
  const texts = tools.map((tool) => canonicalText(tool))
  return { whole: `{"service_id":${canonicalText(service_id)},"tools":[${texts.join(',')}]}`, tools: texts }
}
