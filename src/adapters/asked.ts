/** The approval request of a tool call, found on the trail: nothing need be kept in memory until a run is resumed. */
import type { AnyOutcome } from '../client/invoke.js'
import type { Answer } from '../client/outcome.js'
import type { ApprovalRequest } from '../protocol/approval.js'
import type { ToolCall, Toolbox } from './options.js'
import { referenceOf } from './reference.js'

type Named = Pick<ToolCall, 'tool' | 'callId'>

/** The request that an outcome waits for; undefined where there is none, or where an earlier denial stands. */
export function waitsFor(outcome: AnyOutcome): string | undefined {
  if (outcome.success) return undefined
  const { failure } = outcome
  const isOpen = failure.type === 'approval_required' && 'approval_request_id' in failure && !('decision' in failure)
  return isOpen ? String(failure.approval_request_id) : undefined
}

/** The newest request that the tool call opened, if any. */
export async function askedRequest(
  { client, options }: Toolbox,
  call: Named,
): Promise<Answer<ApprovalRequest | undefined>> {
  if (call.callId === undefined) return { success: true, result: undefined }
  const client_reference_id = await referenceOf(options, call)
  const page = await client.audit({ client_reference_id, capability: call.tool.capability, limit: 20 })
  if (!page.success) return page
  for (const { approval_request_id } of page.result.entries) {
    if (typeof approval_request_id !== 'string') continue
    const request = await client.approvals.read(approval_request_id)
    // Another agent of the same person may have used the same reference: its request is not to be seen, and not ours.
    if (request.success || request.failure.type !== 'approval_request_not_found') return request
  }
  return { success: true, result: undefined }
}

/** Takes back what the tool call asked for: the request, or what is left of its grant. */
export async function withdrawCall(toolbox: Toolbox, call: Named): Promise<void> {
  try {
    const request = await askedRequest(toolbox, call)
    if (request.success && request.result !== undefined) await withdrawAsked(toolbox, request.result)
  } catch (error) {
    toolbox.options.onError?.(error, call.tool)
  }
}

export async function withdrawAsked({ client }: Toolbox, request: ApprovalRequest): Promise<void> {
  if (request.status !== 'pending' && request.status !== 'approved') return
  await client.approvals.withdraw(request.approval_request_id)
}
