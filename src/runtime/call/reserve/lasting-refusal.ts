import type { Capability } from '../../../protocol/manifest.js'
import type { Service } from '../../service.js'
import type { Invocation } from '../invocation.js'
import type { FailedOutcome, CallOutcome, Replayed } from '../settle/outcome.js'
import { failedWith } from '../settle/failed.js'
import { claimKey } from './idempotency.js'
import type { Reserved } from './reserved.js'

/**
 * Claims the idempotency key of a call whose inputs were refused, or gives what was answered under it. There are no
 * resolved inputs then, so the key goes by those that the caller gave.
 */
export async function claimForRefusal(
  service: Service,
  invocation: Invocation,
  reserved: Reserved,
  outcome: FailedOutcome,
): Promise<FailedOutcome | Replayed> {
  if (reserved.claim !== undefined || !isLasting(service, invocation, outcome)) return outcome
  try {
    return (await claimKey(service, invocation, invocation.request.parameters, reserved)) ?? outcome
  } catch (error) {
    return failedWith(service, invocation, reserved, error)
  }
}

/** True for a refusal that neither time nor a person can change: the inputs by themselves are not valid. */
export function isLasting({ capabilities }: Service, { name }: Invocation, outcome: CallOutcome): boolean {
  const capability = capabilities.get(name)
  return (
    !outcome.ok && outcome.failure.type === 'invalid_parameters' && capability !== undefined && asksNobody(capability)
  )
}

const BY_ACTOR = ['actor_policy', 'actor_policy_or_explicit', 'use_actor_scope']

/** True where the inputs are judged by the manifest alone; a resolver or a policy may judge otherwise tomorrow. */
const asksNobody = ({ inputs }: Capability): boolean =>
  inputs.every(
    ({ catalog_ref, resolution: { resolver_ref, ...words } = {} }) =>
      catalog_ref === undefined &&
      resolver_ref === undefined &&
      !Object.values(words).some((word) => typeof word === 'string' && BY_ACTOR.includes(word)),
  )
