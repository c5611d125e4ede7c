import type { Manifest } from '../../../protocol/manifest.js'
import { code, inline } from '../../print/markdown.js'

/**
 * Lists facts about every call of a service: its identity, its level of verification, and the rights of tokens and
 * approvers.
 */
export function serviceFacts(manifest: Manifest): readonly string[] {
  const { service_identity, manifest_metadata, trust, limits } = manifest
  const cadence = trust.anchoring?.cadence
  return [
    `- Service ${code(service_identity.id)}, protocol ${inline(manifest_metadata.version)}.`,
    '- ' +
      `Trust: ${trust.level}${cadence === undefined ? '' : `, with a checkpoint of the trail ${cadenceText(cadence)}`}.`,
    `- A token lives ${limits.default_ttl_hours} h unless asked otherwise, ${limits.max_ttl_hours} h at ` +
      `most; ${depthText(limits.max_delegation_depth)}.`,
    ...approverFacts(manifest),
    '',
  ]
}

const cadenceText = (cadence: string): string =>
  cadence === 'hourly' || cadence === 'daily' ? cadence : `each ${inline(cadence)}`

const depthText = (depth: number): string =>
  depth === 0 ? 'none is delegated further' : `${depth} may descend from a root token, one from another`

function approverFacts({ approvals, capabilities }: Manifest): readonly string[] {
  if (Object.values(capabilities).every(({ approval }) => approval === undefined)) return []
  const scopes = approvals.approver_scope === undefined ? '' : ` or ${code(approvals.approver_scope)}`
  const others = approvals.separation_of_duties ? 'Nobody approves what was asked for in their own name.' : ''
  const agents = approvals.allow_agents ? 'Agents and services may approve.' : 'Only people may approve.'
  return [
    '- An approver has the scope ' +
      `\`approver:<capability>\`${scopes}. ${[others, agents].filter((each) => each !== '').join(' ')}`,
    `- A request for an approval waits ${inline(approvals.request_ttl)}. A denial answers the same call ` +
      `for ${inline(approvals.denial_holds)}.`,
  ]
}
