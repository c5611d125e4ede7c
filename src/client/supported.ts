/** Whether this client knows all that a document says: what it does not know, it could not obey (section 9.6). */
import type { Capability, Input, Manifest } from '../protocol/manifest.js'
import type { DiscoveryDocument } from '../protocol/discovery.js'
import { isObject, TransportError } from './transport.js'

/** The newest version of the interface that this client knows. */
const NEWEST = '0.24.0'

const METADATA = 'version sha256 issued_at expires_at'
const IDENTITY = 'id jwks_uri issuer_mode'
const TRUST = 'level anchoring'

const MANIFEST = [
  'manifest_metadata',
  'service_identity',
  'trust',
  'capabilities',
] satisfies readonly (keyof Manifest)[]
const CAPABILITY = [
  'description', 'contract_version', 'inputs', 'output', 'side_effect', 'minimum_scope', 'kind', 'response_modes', 'cost', 'requires',
  'composition', 'business_effects', 'requires_binding', 'control_requirements', 'requires_principal', 'approval', 'observability',
  'refresh_via', 'verify_via', 'cross_service',
] satisfies readonly (keyof Capability)[] // prettier-ignore
const INPUT = [
  'name', 'type', 'required', 'default', 'description', 'semantic_type', 'entity_reference', 'allowed_values', 'catalog_ref',
  'input_meanings', 'resolution',
] satisfies readonly (keyof Input)[] // prettier-ignore
const DISCOVERY = [
  'version', 'service_id', 'endpoints', 'capabilities', 'trust', 'metadata_disclosure',
] satisfies readonly (keyof DiscoveryDocument['svc_discovery'])[] // prettier-ignore

const SIDE_EFFECTS = 'read write transactional irreversible'
const TRUST_LEVELS = 'declarative signed anchored'
const RESOLUTION_MODES =
  'closed_values backend_resolved actor_policy actor_policy_or_explicit app_selected explicit_only clarify'

type Record = { readonly [name: string]: unknown }

/** Throws when a manifest is of a newer version, or says what this client does not know. */
export function assertSupportedManifest(manifest: Record): void {
  const metadata = recordIn(manifest, 'manifest_metadata')
  assertVersion(metadata['version'])
  assertFields('manifest', manifest, MANIFEST)
  assertFields('manifest_metadata', metadata, METADATA.split(' '))
  assertFields('service_identity', recordIn(manifest, 'service_identity'), IDENTITY.split(' '))
  assertTrust(recordIn(manifest, 'trust'))
  for (const [name, capability] of Object.entries(recordIn(manifest, 'capabilities')))
    if (isObject(capability)) assertCapability(name, capability)
}

/** Throws when a discovery document is of a newer version, or says what this client does not know. */
export function assertSupportedDiscovery(document: Record): void {
  const discovery = recordIn(document, 'svc_discovery')
  assertVersion(discovery['version'])
  assertFields('discovery', discovery, DISCOVERY)
  assertTrust(recordIn(discovery, 'trust'))
}

function assertCapability(name: string, capability: Record): void {
  assertFields(name, capability, CAPABILITY)
  assertWord(name, 'side effect', recordIn(capability, 'side_effect')['type'], SIDE_EFFECTS)
  const { inputs } = capability
  for (const input of Array.isArray(inputs) ? inputs.filter(isObject) : []) {
    const place = `${name}.${String(input['name'])}`
    assertFields(place, input, INPUT)
    if (isObject(input['resolution'])) assertWord(place, 'mode', input['resolution']['mode'], RESOLUTION_MODES)
  }
}

function assertTrust(trust: Record): void {
  assertFields('trust', trust, TRUST.split(' '))
  assertWord('trust', 'level', trust['level'], TRUST_LEVELS)
}

function assertVersion(version: unknown): void {
  const [major, minor] = numbersIn(version)
  const [ourMajor, ourMinor] = numbersIn(NEWEST) as [number, number]
  if (major === undefined || minor === undefined || major > ourMajor || (major === ourMajor && minor > ourMinor))
    unsupported(`version ${String(version)}; this client knows ${NEWEST} and older ones`)
}

const numbersIn = (version: unknown): readonly number[] =>
  (/^(\d+)\.(\d+)\.\d+$/u.exec(String(version)) ?? []).slice(1).map(Number)

function assertFields(place: string, record: Record, known: readonly string[]): void {
  const unknown = Object.keys(record).find((name) => !known.includes(name) && !name.startsWith('x-'))
  if (unknown !== undefined) unsupported(`the field ${unknown} in ${place}`)
}

function assertWord(place: string, kind: string, word: unknown, known: string): void {
  if (!known.split(' ').includes(String(word))) unsupported(`the ${kind} ${String(word)} in ${place}`)
}

const recordIn = (record: Record, name: string): Record => {
  const value = record[name]
  return isObject(value) ? value : {}
}

function unsupported(what: string): never {
  throw new TransportError(`The service says what this client does not support: ${what}. Update svc-kit.`)
}
