import type { Capability, JsonObject, Manifest } from '../../../../protocol/manifest.js'
import type { Tool, ToolsDocument } from '../../../../protocol/tools.js'
import { useEffect, useState } from 'preact/hooks'
import { readManifest, readTools } from '../../proof/read.js'

/** A capability as it is served: what it takes and gives from the tools, what stands around it from the manifest. */
export interface Shown {
  readonly name: string
  readonly tool: Tool
  readonly capability: Capability & JsonObject
}

export interface Catalogue {
  readonly serviceId: string
  readonly all: readonly Shown[]
}

/** Everything that the service offers, which everybody may read. */
export function useCatalogue(): Catalogue | 'reading' | 'away' {
  const [catalogue, setCatalogue] = useState<Catalogue | 'reading' | 'away'>('reading')
  useEffect(() => {
    const read = async (): Promise<void> => {
      const [manifest, tools] = await Promise.all([readManifest(), readTools()])
      setCatalogue(manifest === undefined || tools === undefined ? 'away' : catalogueOf(manifest, tools))
    }
    void read()
  }, [])
  return catalogue
}

export const catalogueOf = (
  { service_identity, capabilities }: Pick<Manifest, 'service_identity' | 'capabilities'>,
  { tools }: ToolsDocument,
): Catalogue => ({
  serviceId: service_identity.id,
  all: tools.flatMap((tool) => {
    const capability = Object.hasOwn(capabilities, tool.capability) ? capabilities[tool.capability] : undefined
    return capability === undefined
      ? []
      : [{ name: tool.capability, tool, capability: capability as Capability & JsonObject }]
  }),
})
