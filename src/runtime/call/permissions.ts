import type { Failure, FailureRow, FailureType } from '../../protocol/failures.js'
import { FAILURES } from '../../protocol/failures.js'
import type { Permissions, UnavailablePermission } from '../../protocol/permissions.js'
import type { Principal } from '../../protocol/principals.js'
import type { ReasonType } from '../../protocol/words.js'
import type { Token } from '../auth/token.js'
import { unmetRequirements } from './checks/control-requirements-hold.js'
import { decidingFacts, stepCapabilitiesOf } from './checks/deciding-facts.js'
import { firstFailure } from './checks/index.js'
import type { TokenFacts } from './facts/facts.js'
import { refusalByBudget } from './refusal-by-budget.js'
import type { SpentCeiling } from './reserve/budget-hold.js'
import { disclosed, disclosureLevel } from '../errors/disclosure.js'
import { present } from '../json/present.js'
import type { Service } from '../service.js'

/**
 * Returns the permissions of a token, by the checks that invoke runs (section 4.5), as far as no input decides. What
 * was spent under cumulative budgets counts where it is known.
 */
export function permissionsOf(service: Service, token: Token, spent: readonly SpentCeiling[] = []): Permissions {
  const level = disclosureLevel(service.manifest, token.claims.caller_class)
  const judged = [...service.capabilities].map(([name, capability]) => {
    const facts = { name, capability, token, steps: stepCapabilitiesOf(service.capabilities, capability) }
    const deciding = decidingFacts(service.capabilities, facts)
    const failure = firstFailure('token', deciding) ?? refusalByBudget(service.capabilities, facts, spent)
    return { facts, deciding, failure: failure && disclosed(failure, level) }
  })
  const unavailable = judged.flatMap(({ facts, deciding, failure }) =>
    failure === undefined ? [] : [unavailableOf(facts.name, deciding, failure)],
  )
  return {
    available: judged.flatMap(({ facts, failure }) => (failure === undefined ? [availableOf(facts)] : [])),
    restricted: unavailable.filter(({ reason_type }) => reason_type !== 'non_delegable'),
    denied: unavailable.filter(({ reason_type }) => reason_type === 'non_delegable'),
  }
}

const availableOf = ({ name, capability, token }: TokenFacts) => ({
  capability: name,
  scope_match: capability.minimum_scope.join(' '),
  constraints: token.claims.constraints,
})

function unavailableOf(name: string, deciding: TokenFacts, failure: Failure): UnavailablePermission {
  const reason_type = reasonOf(failure.type)
  const reason = failure.detail
  // What is structurally impossible nobody can grant, and nothing resolves (section 4.5).
  if (reason_type === 'non_delegable') return { capability: name, reason, reason_type }
  return present({
    capability: name,
    reason,
    reason_type,
    grantable_by: failure.resolution.grantable_by as Principal | undefined,
    unmet_token_requirements:
      failure.type === 'control_requirement_unsatisfied' ? unmetRequirements(deciding) : undefined,
    resolution_hint: failure.resolution.action,
  })
}

/** The reason of a failure that a token alone can cause; the table names one for each. */
function reasonOf(type: string): ReasonType {
  const row: FailureRow = FAILURES[type as FailureType]
  return row.reason ?? 'insufficient_scope'
}
