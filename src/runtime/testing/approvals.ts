import type { Answer, Approvals } from '../../client/index.js'
import type { ApprovalGrant, ApprovalRequest, GrantRequest, PendingApproval } from '../../protocol/approval.js'

/** The id of an approval request, or the outcome of a call that waits for one. */
export type AwaitedRequest = string | { readonly success: boolean; readonly failure?: object }

/** Terms of a grant, if they differ from the request's defaults, and the approver: several if several must approve. */
export type Terms<Name extends string> = Omit<Partial<GrantRequest>, 'approval_request_id'> & {
  readonly as?: Name | readonly Name[]
}

/**
 * Gives a grant for what a call waits for, on the default terms of its request unless others are named (section 4.7),
 * one approver after the other. Throws where more must approve.
 */
export async function grantFor(
  approvers: readonly Approvals[],
  waiting: AwaitedRequest,
  terms: Omit<Terms<string>, 'as'>,
): Promise<ApprovalGrant> {
  const approval_request_id = requestIn(waiting)
  let last: ApprovalGrant | PendingApproval | undefined
  for (const approvals of approvers) {
    const { grant_policy } = resultOrThrow(await approvals.read(approval_request_id))
    last = resultOrThrow(
      await approvals.grant({ grant_type: grant_policy.default_grant_type, ...terms, approval_request_id }),
    )
  }
  if (last !== undefined && 'grant_id' in last) return last
  throw new TypeError(
    `${last?.approvals ?? 0} of ${last?.approvals_needed ?? 1} have approved. Name all of them: { as: ['approver', …] }.`,
  )
}

/** Denies what a call waits for. */
export const denialOf = async (
  approvals: Approvals,
  waiting: AwaitedRequest,
  reason: string | undefined,
): Promise<ApprovalRequest> => resultOrThrow(await approvals.deny(requestIn(waiting), reason))

function requestIn(waiting: AwaitedRequest): string {
  if (typeof waiting === 'string') return waiting
  const { failure } = waiting
  if (failure !== undefined && 'approval_request_id' in failure) return String(failure.approval_request_id)
  throw new TypeError(`There is nothing to decide: the call ended with ${JSON.stringify(failure ?? 'success')}.`)
}

/** The result of an answer; throws for a refusal, so that a test fails where it happens. */
export function resultOrThrow<Result>(answer: Answer<Result>): Result {
  if (answer.success) return answer.result
  throw new Error(`${answer.failure.type}: ${answer.failure.detail}`)
}
