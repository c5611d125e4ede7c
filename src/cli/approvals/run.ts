import type {
  ApprovalGrant,
  ApprovalRequest,
  ApprovedOutcome,
  BoundData,
  PendingApproval,
} from '../../protocol/approval.js'
import type { JsonObject, SideEffect } from '../../protocol/manifest.js'
import { nameInWords } from '../../protocol/name-in-words.js'
import type { ApprovalState } from '../../protocol/words.js'
import { APPROVAL_STATES } from '../../protocol/words.js'
import { CliError, type ExitCode } from '../shared/errors/cli-error.js'
import { printable } from '../shared/output/printable.js'
import { didYouMean } from '../service/meant.js'
import { moneyText } from '../service/money-text.js'
import { reached, serviceAt, show, showRefused, type ConnectionOptions } from '../service/connection.js'

export interface ApprovalListOptions extends ConnectionOptions {
  readonly status: string
  readonly capability?: string
}

export interface DecideOptions extends ConnectionOptions {
  readonly reason?: string
  readonly session?: string
  readonly uses?: string
  readonly expiresIn?: string
}

/** `svc approvals list`. */
export function listApprovals({ status, capability, ...options }: ApprovalListOptions): Promise<ExitCode> {
  if (status !== 'all' && !isState(status))
    throw new CliError(`Unknown state ${JSON.stringify(status)}. Use one of ${APPROVAL_STATES.join(', ')} or all.`)
  const filter = { ...(isState(status) && { status }), ...(capability !== undefined && { capability }) }
  return show(serviceAt(options).approvals.list(filter), options, ({ approval_requests }) =>
    approval_requests.length === 0 ? 'No requests.' : approval_requests.map(requestLine).join('\n'),
  )
}

const isState = (word: string): word is ApprovalState => (APPROVAL_STATES as readonly string[]).includes(word)

/** A request in one line. */
export const requestLine = ({
  approval_request_id,
  status,
  capability,
  requester,
  expires_at,
  ...request
}: ApprovalRequest): string =>
  [
    approval_request_id,
    status,
    capability,
    requester.subject,
    ...costText(request),
    `until ${expires_at}`,
    ...approvedText(request),
  ]
    .map(printable)
    .join('  ')

const costText = ({ checked_cost }: Pick<ApprovalRequest, 'checked_cost'>): readonly string[] =>
  checked_cost === undefined ? [] : [moneyText(checked_cost)]

const approvedText = (request: Pick<ApprovalRequest, 'approvals' | 'approvals_needed'>): readonly string[] =>
  request.approvals_needed === undefined ? [] : [`${request.approvals ?? 0} of ${request.approvals_needed} approved`]

const meantRequest = (id: string, options: ConnectionOptions) => () => didYouMean(options, 'request', id)

/** `svc approvals show`. */
export const showApproval = (id: string, options: ConnectionOptions): Promise<ExitCode> =>
  show(serviceAt(options).approvals.read(id), options, describedRequest, meantRequest(id, options))

/** Describes a request on one line: the effect, the requester, the expiry. */
export function describedRequest(request: ApprovalRequest): string {
  const { capability, requester, requested_parameters, preview, status, reason, created_at, expires_at } = request
  const { checked_cost, context } = request
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['capability', capability],
    ['costs', checked_cost && moneyText(checked_cost)],
    ['effect', context?.side_effect && effectText(context.side_effect)],
    ['would do', preview === undefined ? undefined : JSON.stringify(preview)],
    ['approved was', request.approved_before && JSON.stringify(request.approved_before.preview ?? null)],
    ...(request.bound ?? []).map((quote) => ['quoted', quoteText(quote)] as const),
    ['parameters', valuesText(requested_parameters)],
    ['hidden', request.hidden?.map(nameInWords).join(', ')],
    ['requested by', requester.subject],
    ['on behalf of', requester.root_principal],
    ['task', request.task_id],
    ['done before', request.spent_by],
    ['opened', created_at],
    ['status', status],
    ['approved by', countOf(request)],
    ['needs scope', request.approver_scope],
    ['reason', reason ?? undefined],
    ['read at', request.answered_at],
    ['ran', context?.outcome && outcomeText(context.outcome)],
    ['expires at', expires_at],
  ]
  const known = rows.filter((row): row is readonly [string, string] => row[1] !== undefined)
  return known.map(([name, value]) => `${name.padEnd(14)}${printable(value)}`).join('\n')
}

/** Values under their names in words; each is JSON, so that none reads like the next name. */
const valuesText = (values: JsonObject): string =>
  Object.entries(values)
    .map(([name, value]) => `${nameInWords(name)}: ${JSON.stringify(value)}`)
    .join(', ')

const quoteText = ({ type, price, data = {} }: BoundData): string =>
  [nameInWords(type), price && moneyText(price), valuesText(data)].filter((part) => part).join(', ')

const outcomeText = ({ invocation_id, success, failure_type, cost_actual }: ApprovedOutcome): string =>
  [
    invocation_id,
    success ? 'done' : (failure_type ?? 'failed'),
    ...(cost_actual === null ? [] : [moneyText(cost_actual)]),
  ].join(', ')

/** Effect -> what it means for who decides. */
const EFFECTS_IN_WORDS: { readonly [type in SideEffect['type']]: (effect: SideEffect) => string } = {
  read: () => 'reads only',
  write: () => 'changes data; no undo is declared',
  transactional: ({ rollback_window, compensation }) =>
    ['can be undone', rollback_window && `for ${rollback_window}`, compensation && `by ${compensation}`]
      .filter((part) => part !== undefined)
      .join(' '),
  irreversible: () => 'cannot be undone',
}

const effectText = (effect: SideEffect): string => EFFECTS_IN_WORDS[effect.type](effect)

const countOf = ({ approvals = 0, approvals_needed }: ApprovalRequest): string | undefined =>
  approvals_needed === undefined ? undefined : `${approvals} of ${approvals_needed}`

/** `svc approvals approve`. */
export async function approve(id: string, options: DecideOptions): Promise<ExitCode> {
  const { reason, session, uses, expiresIn } = options
  const { approvals } = serviceAt(options)
  const terms = {
    approval_request_id: id,
    grant_type: session === undefined ? ('one_time' as const) : ('session_bound' as const),
    ...(session !== undefined && { session_id: session }),
    ...(uses !== undefined && { max_uses: counted('uses', uses) }),
    ...(expiresIn !== undefined && { expires_in_seconds: counted('expires-in', expiresIn) }),
    ...(reason !== undefined && { reason }),
  }
  return show(approvals.grant(terms), options, given, meantRequest(id, options))
}

const given = (answer: ApprovalGrant | PendingApproval): string =>
  'grant_id' in answer
    ? granted(answer)
    : `Approved by ${answer.approvals} of ${answer.approvals_needed}. Another person must approve, too.`

const granted = ({ capability, requester, expires_at, max_uses }: ApprovalGrant): string =>
  `Approved: ${printable(requester.subject)} may ` +
  `call ${printable(capability)} ${max_uses === 1 ? 'once' : `${max_uses} times`}, until ${expires_at}.`

function counted(option: string, text: string): number {
  if (/^[1-9]\d{0,8}$/u.test(text)) return Number(text)
  throw new CliError(`--${option} takes a whole number above 0, found ${JSON.stringify(text)}.`)
}

/** `svc approvals deny`. */
export const deny = (id: string, options: DecideOptions): Promise<ExitCode> =>
  show(
    serviceAt(options).approvals.deny(id, options.reason),
    options,
    ({ capability, requester }) => `Denied: ${printable(requester.subject)} may not call ${printable(capability)}.`,
    meantRequest(id, options),
  )

/** `svc approvals send-back`. */
export const sendBack = (id: string, options: DecideOptions): Promise<ExitCode> =>
  show(
    serviceAt(options).approvals.deny(id, options.reason, { holds: false }),
    options,
    ({ requester }) => `Sent back: ${printable(requester.subject)} is answered once with your question.`,
    meantRequest(id, options),
  )

/** `svc approvals withdraw`. */
export async function withdraw(id: string, options: ConnectionOptions): Promise<ExitCode> {
  const answer = await reached(serviceAt(options).approvals.withdraw(id))
  if (!answer.success) return showRefused(answer.failure, options.json === true, meantRequest(id, options))
  return show(Promise.resolve(answer), options, ({ status }) =>
    status === 'approved' ? 'What was left of its grant is taken back.' : 'Withdrawn.',
  )
}
