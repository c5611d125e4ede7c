import type { ApprovalRequirement, Capability, Manifest } from '../../protocol/manifest.js'
import type { Permissions, UnavailablePermission } from '../../protocol/permissions.js'
import type { DelegationClaims } from '../../protocol/token.js'
import type { ReasonType } from '../../protocol/words.js'

export const CHECK_RESULTS = ['holds', 'refuses', 'asks', 'unknown', 'not reached'] as const

/** `asks`: a person decides first. `unknown`: only a call can say. `not reached`: a check before it refuses. */
export interface JudgedCheck {
  readonly check: string
  readonly result: (typeof CHECK_RESULTS)[number]
  readonly detail?: string
}

export interface Judgeable {
  readonly name: string
  readonly capability: Capability
  /** All that the service has: a composition is judged by its steps, too. */
  readonly capabilities: Manifest['capabilities']
  /** Permissions of the token, as the service reports them. */
  readonly permissions: Permissions
  readonly claims: DelegationClaims
}

type Judgement = Omit<JudgedCheck, 'check'>

const HOLDS: Judgement = { result: 'holds' }
const unknown = (detail: string): Judgement => ({ result: 'unknown', detail })

/** Token checks by the reason that the service gives; a check without a reason passes. */
const byReason =
  (reason: ReasonType) =>
  (judged: Judgeable): Judgement => {
    const lacking = lackingOf(judged)
    return lacking?.reason_type === reason && !isOfBudget(lacking) ? refusedBy(lacking) : HOLDS
  }

function refusedBy({ reason, resolution_hint }: UnavailablePermission): Judgement {
  const next = resolution_hint === undefined ? '' : ` Next: ${resolution_hint}.`
  return { result: 'refuses', detail: reason + next }
}

/** A budget has the reason of a control requirement, and lists none that the token fails. */
const isOfBudget = ({ reason_type, unmet_token_requirements }: UnavailablePermission): boolean =>
  reason_type === 'unmet_control_requirement' && unmet_token_requirements === undefined

const lackingOf = ({ name, permissions: { restricted, denied } }: Judgeable): UnavailablePermission | undefined =>
  [...restricted, ...denied].find(({ capability }) => capability === name)

/** The checks in the order of section 5.7, each as far as it can be judged without a call. */
const CHECKS: readonly (readonly [check: string, judge: (judged: Judgeable) => Judgement])[] = [
  ['token is valid', () => HOLDS],
  ['principal may call', byReason('non_delegable')],
  ['token has the scopes', byReason('insufficient_scope')],
  ['token is not bound to another capability', byReason('stronger_delegation_required')],
  ['token is not bound to another task', ({ claims }) => taskOf(claims)],
  ['chain is short enough', byReason('insufficient_delegation_depth')],
  ['control requirements are met', byReason('unmet_control_requirement')],
  ['capability is not paused', () => unknown('An operator may have paused it.')],
  ['inputs are valid', () => unknown('Depends on the inputs of the call.')],
  ['bindings are fresh', ({ capability }) => bindingsOf(capability)],
  ['budget covers the cost', budgetOf],
  ['approval is given', approvalOf],
  ['rates and concurrency allow it', () => unknown('Depends on other calls at the same time.')],
]

export function judgedChecks(judged: Judgeable): readonly JudgedCheck[] {
  const all = CHECKS.map(([check, judge]) => ({ check, ...judge(judged) }))
  const refusing = all.findIndex(({ result }) => result === 'refuses')
  return all.map((each, index) =>
    refusing === -1 || index <= refusing ? each : { check: each.check, result: 'not reached' },
  )
}

function taskOf({ purpose }: DelegationClaims): Judgement {
  const { task_id } = purpose as { readonly task_id?: string }
  return task_id === undefined ? HOLDS : unknown(`The call must be for the task ${task_id}, or name none.`)
}

function bindingsOf({ requires_binding = [] }: Capability): Judgement {
  if (requires_binding.length === 0) return HOLDS
  return unknown(`It needs a fresh ${requires_binding.map(({ type }) => type).join(', ')}.`)
}

function budgetOf(judged: Judgeable): Judgement {
  const lacking = lackingOf(judged)
  if (lacking !== undefined && isOfBudget(lacking)) return refusedBy(lacking)
  const { cost } = judged.capability
  const { budget } = judged.claims.constraints
  if (budget === undefined || cost?.financial === undefined) return HOLDS
  if (cost.certainty === 'fixed' && budget.mode !== 'cumulative') return HOLDS
  const most = `${budget.max_amount} ${budget.currency}`
  return unknown(
    `The budget is ${most}${budget.mode === 'cumulative' ? ' in all' : ' a call'}; the price is that of the call.`,
  )
}

function approvalOf({ capability, capabilities }: Judgeable): Judgement {
  const asking = [
    ...askingOf('', capability.approval),
    ...(capability.composition?.steps ?? []).flatMap((step) =>
      askingOf(` of its step ${step.capability}`, capabilities[step.capability]?.approval),
    ),
  ]
  return asking.find(({ result }) => result === 'asks') ?? asking[0] ?? HOLDS
}

function askingOf(whose: string, approval: ApprovalRequirement | undefined): readonly Judgement[] {
  if (approval === undefined) return []
  if (approval.required === 'always') return [{ result: 'asks', detail: `A person decides about each call${whose}.` }]
  return [unknown(`A person decides where the inputs or the cost${whose} meet its conditions.`)]
}
