import { ENDPOINTS, type CredentialKind, type EndpointRow, type Operation } from './endpoints.js'
import type { Capability, Manifest, MetadataDisclosure, Trust } from './manifest.js'
import { PROTOCOL_VERSION } from './version.js'
import type { ManifestReaders } from './words.js'

/** The discovery document (section 2.1). */
export interface DiscoveryDocument {
  readonly svc_discovery: {
    readonly version: string
    readonly service_id: string
    /** Seconds for which the document may be kept (decisions, section 21). */
    readonly ttl: number
    readonly endpoints: { readonly [key: string]: string }
    readonly capabilities: { readonly [name: string]: CapabilitySummary }
    readonly trust: Trust
    readonly metadata_disclosure?: {
      readonly caller_class?: readonly string[]
      readonly failure_detail?: string
      readonly manifest?: ManifestReaders
    }
  }
}

export interface CapabilitySummary {
  readonly description: string
  readonly contract_version: string
  readonly side_effect: { readonly type: string }
  readonly minimum_scope: readonly string[]
  readonly financial: boolean
}

/** Time for which caches and clients may keep discovery, in seconds. */
export const DISCOVERY_TTL_S = 300

/** Holds when some capability, or a step of it, can end in `approval_required` (section 4). */
export const canAskForApproval = (manifest: Manifest): boolean =>
  Object.values(manifest.capabilities).some((capability) => capability.approval !== undefined)

/** Holds when a call can cost money, by its own cost or by that of a step (sections 2.1 and 6). */
export const isFinancial = ({ capabilities }: Manifest, { cost, composition }: Capability): boolean =>
  cost?.financial !== undefined ||
  (composition?.steps ?? []).some(({ capability }) => capabilities[capability]?.cost?.financial !== undefined)

/** The operations that a service implements and may advertise (section 9.5). */
export function operationsOf(manifest: Manifest): readonly Operation[] {
  const absent = new Set<Operation>()
  if (!canAskForApproval(manifest)) for (const name of APPROVAL_OPERATIONS) absent.add(name)
  if (manifest.trust.level !== 'anchored') for (const name of CHECKPOINT_OPERATIONS) absent.add(name)
  return (Object.keys(ENDPOINTS) as Operation[]).filter((operation) => !absent.has(operation))
}

const APPROVAL_OPERATIONS = ['approval_grants', 'approval_grant_revoke', 'approval_list', 'approval_read', 'approval_deny', 'approval_withdraw', 'operator_approvals'] as const // prettier-ignore
const CHECKPOINT_OPERATIONS = ['checkpoints', 'checkpoint'] as const

/** The credential that an operation of a service wants: a service may show its manifest to those who have one only. */
export function credentialKindOf({ metadata_disclosure }: Manifest, operation: Operation): CredentialKind {
  const { credential, tellsManifest }: EndpointRow = ENDPOINTS[operation]
  return tellsManifest && metadata_disclosure?.manifest === 'bearer' ? 'bootstrap_or_delegation' : credential
}

/** The discovery document of a manifest: nothing but what the service implements (section 2.1), below a base path. */
export function discoveryOf(manifest: Manifest, base = ''): DiscoveryDocument {
  const { service_identity, trust, metadata_disclosure } = manifest
  return {
    svc_discovery: {
      version: PROTOCOL_VERSION,
      service_id: service_identity.id,
      ttl: DISCOVERY_TTL_S,
      endpoints: advertisedEndpoints(manifest, base),
      capabilities: Object.fromEntries(
        Object.entries(manifest.capabilities).map(([name, capability]) => [
          name,
          {
            description: capability.description,
            contract_version: capability.contract_version,
            side_effect: { type: capability.side_effect.type },
            minimum_scope: capability.minimum_scope,
            financial: isFinancial(manifest, capability),
          },
        ]),
      ),
      trust,
      ...(metadata_disclosure === undefined ? {} : { metadata_disclosure: published(metadata_disclosure) }),
    },
  }
}

const advertisedEndpoints = (manifest: Manifest, base: string): { readonly [key: string]: string } =>
  Object.fromEntries(
    operationsOf(manifest).flatMap((operation) => {
      const row = ENDPOINTS[operation]
      return 'key' in row ? [[row.key, base + row.path] as const] : []
    }),
  )

const published = ({ caller_class, failure_detail, manifest }: MetadataDisclosure) => ({
  ...(caller_class === undefined ? {} : { caller_class: Object.keys(caller_class) }),
  ...(failure_detail === undefined ? {} : { failure_detail }),
  ...(manifest === undefined ? {} : { manifest }),
})
