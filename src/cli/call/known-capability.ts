import { nearest, question } from '../../compiler/nearest.js'
import type { Registration } from '../../client/index.js'
import { ENDPOINTS } from '../../protocol/endpoints.js'
import type { Capability, Manifest } from '../../protocol/manifest.js'
import { printable } from '../shared/output/printable.js'
import { nextStep, type ConnectionOptions } from '../service/connection.js'
import { readFromService } from '../service/read-from-service.js'
import { shellWord } from '../../protocol/shell.js'

/** Capability that is called, as the service describes it; nothing of it is trusted: the service judges the call. */
export interface KnownCapability {
  readonly declared?: Capability
  /** Every capability of the service. */
  readonly names: readonly string[]
}

/** Reads the manifest of the service; without one the call is made as it is given. */
export async function knownCapability(name: string, options: ConnectionOptions): Promise<KnownCapability> {
  const manifest = await readFromService<Partial<Manifest>>(options, ENDPOINTS.manifest.path).catch(() => undefined)
  const capabilities = manifest?.capabilities ?? {}
  const names = Object.keys(capabilities)
  return Object.hasOwn(capabilities, name) ? { declared: capabilities[name]!, names } : { names }
}

/** Returns how a capability is called; an unknown one is assumed to change something and to need an approval. */
export const registrationOf = (capability: string, { declared }: KnownCapability): Registration => ({
  capability,
  effect: declared?.side_effect.type ?? 'irreversible',
  ...(declared?.cost?.financial && { costs: true }),
  approvable: true,
})

interface Refused {
  readonly type: string
  readonly resolution: { readonly action: string }
  readonly approval_request_id?: string
}

/** Returns what a person does next about a failed call: the name that was meant, or the command for its token. */
export function nextOfCall(
  name: string,
  { declared, names }: KnownCapability,
  { type, resolution: { action }, approval_request_id: id }: Refused,
): string {
  if (type === 'unknown_capability') {
    const near = question(nearest(name, names)).trim()
    return `${printable(near === '' ? '' : `${near} `)}svc permissions lists the capabilities.`
  }
  if (type === 'approval_required' && id !== undefined)
    return `ask an approver to run svc approvals show ${shellWord(id)}, then make the same call again.`
  if (declared === undefined || (action !== 'request_new_delegation' && action !== 'request_broader_scope'))
    return nextStep(action)
  const scopes = declared.minimum_scope.map(shellWord).join(' ')
  return `svc token issue --scope ${scopes} --out my.token, then SVC_TOKEN_FILE=my.token`
}
