/**
 * One tool call that spans a person's decision: rounds of waiting, each shorter than a client's time limit (surfaces,
 * fact 4).
 */
import { inputRequired, type CallToolResult, type InputRequiredResult } from '@modelcontextprotocol/server'
import type { ApprovalRequest } from '../../../protocol/approval.js'
import type { Failure } from '../../../protocol/failures.js'
import { withoutGrant } from '../../approvals/answer-to-caller.js'
import type { Service } from '../../service.js'
import { askService, type Request } from './ask-service.js'
import type { CallState, McpConnection } from './connection.js'
import { refusedResult, type GovernedAnswer } from './result.js'
import { MOST_ROUNDS, ROUND_SECONDS } from './rounds.js'

export type ToolAnswer = CallToolResult | InputRequiredResult

type Waiting = CallState & { readonly request: string; readonly round: number; readonly key: string }

export const isWaiting = (state: CallState | undefined): state is Waiting => state?.request !== undefined

/** Asks the client to open the page where the decision is made. */
export const openPage = async (
  { states }: McpConnection,
  state: Waiting,
  title: string,
  url: string,
): Promise<InputRequiredResult> =>
  inputRequired({
    inputRequests: {
      approval: inputRequired.elicitUrl({
        message: `${title} needs an approval. Open the page to see what is asked for and who may decide.`,
        url,
      }),
    },
    requestState: await states.mint(state),
  })

/** Reply of the person who was shown the page: opened is not approved. */
export type PageReply = 'opened' | 'declined'

/** One round: waits for the decision, then gives the grant with which to go on, or the answer to the call. */
export async function waitForApproval(
  connection: McpConnection,
  state: Waiting,
  reply: PageReply,
  caller: Pick<Request, 'bearer' | 'client'>,
): Promise<{ readonly grantId: string } | ToolAnswer> {
  const { service, states } = connection
  const about = { ...caller, segments: { id: state.request } }
  if (reply === 'declined') {
    const withdrawn = await askService(service, 'approval_withdraw', about)
    const seen = withdrawn['failure'] === undefined ? withdrawn : await askService(service, 'approval_read', about)
    return answerTo(service, seen)
  }
  const request = await askService(service, 'approval_read', { ...about, query: { wait: String(ROUND_SECONDS) } })
  if (request['status'] === 'approved' && typeof request['grant_id'] === 'string')
    return { grantId: request['grant_id'] }
  if (request['status'] !== 'pending') return answerTo(service, request)
  if (state.round < MOST_ROUNDS)
    return inputRequired({ requestState: await states.mint({ ...state, round: state.round + 1 }) })
  return answerTo(service, request)
}

/** Returns the state of the request as the failure of the call that asked. */
const answerTo = (service: Service, request: GovernedAnswer): CallToolResult =>
  refusedResult(
    request['failure'] === undefined
      ? withoutGrant(service, request as object as ApprovalRequest)
      : (request['failure'] as object as Failure),
  )
