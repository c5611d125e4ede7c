import { isRecord } from '../../../crypto/json/kinds.js'
import { randomUUID } from 'node:crypto'
import { acceptedContent, inputRequired, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { CallToolRequest, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import { sha256Hex } from '../../../crypto/json/digest.js'
import type { Failure } from '../../../protocol/failures.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import { traceContextOf } from '../../../protocol/trace-context.js'
import type { Tool } from '../../../protocol/tools.js'
import { sensitiveInputs } from '../../audit/logged-members.js'
import { tokenOf } from '../../auth/token.js'
import { abilitiesOf } from './abilities.js'
import { askService } from './ask-service.js'
import { clarificationForm } from './clarification.js'
import { answersSoFar, askClient, talkOf, type Talk } from './conversation.js'
import type { CallState, McpConnection } from './connection.js'
import { toolResultOf, type GovernedAnswer } from './result.js'
import { noteChange } from './noted-changes.js'
import { APPROVAL_MEMBER, takesApproval } from './tool-list.js'
import { isConnecting, openConnectPage, waitForAccounts } from './wait-for-account.js'
import { isWaiting, openPage, waitForApproval, type ToolAnswer } from './wait-for-approval.js'

/** A call of a tool: everything that happens to it is decided by the endpoints (surfaces, S2). */
export async function callTool(
  connection: McpConnection,
  { params }: CallToolRequest,
  ctx: ServerContext,
): Promise<ToolAnswer> {
  const bearer = await connection.bearer()
  const caller = { bearer, client: connection.client }
  const state = await stateOf(connection, ctx, params.name, bearer)
  const tool = connection.tools.get(params.name)
  const { grant, given } = argumentsOf(connection, tool, params.arguments, ctx)
  const clarified = state?.clarified && { ...state.clarified, ...clarifiedBy(ctx) }
  const talk = talkOf(connection, ctx, answersSoFar(ctx, state))
  const asked = { ...caller, tool, name: params.name, parameters: { ...given, ...clarified }, ctx, talk }
  if (isConnecting(state) && repliedIn(ctx, 'connection') === 'opened') {
    const round = await waitForAccounts(connection, state, await tokenOf(connection.service, bearer))
    if (round !== undefined) return round
  }
  if (!isWaiting(state)) {
    const answer = await invoke(connection, {
      ...asked,
      ...(grant !== undefined && (await continuation(connection, caller, grant))),
    })
    return followUp(connection, answer, asked, clarified === undefined ? state : { ...state!, clarified })
  }
  const outcome = await waitForApproval(connection, state, repliedIn(ctx, 'approval'), caller)
  if (!('grantId' in outcome)) return outcome as ToolAnswer
  return toolResultOf(await invoke(connection, { ...asked, grantId: outcome.grantId as string, key: state.key }))
}

/** A call of a capability by the parameters of an address. */
export async function callOfAddress(
  connection: McpConnection,
  tool: Tool,
  parameters: JsonObject,
  ctx: ServerContext,
): Promise<GovernedAnswer> {
  const bearer = await connection.bearer()
  return invoke(connection, {
    bearer,
    client: connection.client,
    tool,
    name: tool.name,
    parameters,
    ctx,
    talk: talkOf(connection, ctx, {}),
  })
}

interface ToolCall {
  readonly bearer: string
  readonly client: string
  readonly tool: Tool | undefined
  readonly name: string
  readonly parameters: JsonObject
  readonly ctx: ServerContext
  readonly talk: Talk
  readonly grantId?: string
  readonly key?: string | undefined
}

/** The invocation. An unknown tool is an unknown capability: refused, and on the trail. */
async function invoke(connection: McpConnection, call: ToolCall): Promise<GovernedAnswer> {
  const { service, token: read, trace } = connection
  const { tool, name, parameters, ctx, grantId, bearer, client } = call
  const capability = tool?.capability ?? name
  const modes = service.capabilities.get(capability)?.response_modes ?? ['unary']
  const { _meta: meta } = ctx.mcpReq
  const token = meta?.progressToken
  const streams = modes.includes('streaming') && (token !== undefined || !modes.includes('unary'))
  const body = {
    parameters,
    ...(grantId === undefined ? { approval: 'continue' } : { approval_grant: grantId }),
    ...lineageOf(ctx),
    ...(streams && { stream: true }),
  }
  const idempotencyKey = call.key ?? textIn(ctx, 'idempotency_key')
  // A call that has waited for somebody reads its token again.
  const request = {
    bearer,
    token: grantId === undefined ? read : undefined,
    client,
    segments: { capability },
    body,
    idempotencyKey,
    conversation: call.talk,
    trace: traceContextOf(meta?.['traceparent'], meta?.['tracestate']) ?? trace,
  }
  const answer = await askService(service, 'invoke', request, token === undefined ? undefined : progressTo(ctx, token))
  if (isDone(answer)) noteChange(connection, capability)
  return answer
}

/** Also where nobody knows whether it was done. */
const isDone = ({ success, failure }: GovernedAnswer): boolean =>
  success === true || (failure as Failure | undefined)?.type === 'outcome_unknown'

const META = 'svc-kit/'

const ownIn = ({ mcpReq: { _meta: meta } }: ServerContext, name: string): unknown => meta?.[`${META}${name}`]

/** Reads a text; a value of another type becomes the empty text, which the endpoint refuses, not a missing one. */
function textIn(ctx: ServerContext, name: string): string | undefined {
  const value = ownIn(ctx, name)
  return value === undefined || typeof value === 'string' ? value : ''
}

/** Returns the origin of the call; never a credential, never a parameter. The endpoint judges it unchanged. */
const lineageOf = (ctx: ServerContext): JsonObject =>
  Object.fromEntries(
    ['task_id', 'client_reference_id', 'parent_invocation_id'].flatMap((name): [string, Json][] => {
      const value = ownIn(ctx, name)
      return value === undefined ? [] : [[name, value as Json]]
    }),
  )

const LONGEST_MESSAGE = 1000

const progressTo = ({ mcpReq }: ServerContext, progressToken: string | number) => {
  let progress = 0
  return async (payload: unknown) => {
    const message = JSON.stringify(payload ?? null).slice(0, LONGEST_MESSAGE)
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: ++progress, message } })
  }
}

/** The arguments of the capability, and the approval request that the caller goes on after, if it names one. */
function argumentsOf({ era }: McpConnection, tool: Tool | undefined, given: unknown, ctx: ServerContext) {
  const all = isRecord(given as Json) ? (given as JsonObject) : {}
  const named = textIn(ctx, 'approval_request')
  if (tool === undefined || !takesApproval(tool, era) || typeof all[APPROVAL_MEMBER] !== 'string')
    return { given: all, grant: named }
  const { [APPROVAL_MEMBER]: approval, ...rest } = all
  return { given: rest, grant: named ?? (approval as string) }
}

/** The grant that answered a request. A request without one is no reason to refuse: the call itself finds out. */
async function continuation({ service }: McpConnection, caller: { bearer: string; client: string }, id: string) {
  const request = await askService(service, 'approval_read', { ...caller, segments: { id } })
  if (typeof request['grant_id'] === 'string') return { grantId: request['grant_id'] }
  return request['failure'] === undefined ? {} : { grantId: id }
}

/**
 * Asks the person in front of the client what the response requires, if the client can ask; otherwise returns the
 * response.
 */
async function followUp(
  connection: McpConnection,
  answer: GovernedAnswer,
  { ctx, tool, name, bearer, talk }: ToolCall,
  state: CallState | undefined,
): Promise<ToolAnswer> {
  const failure = answer.failure as unknown as Failure | undefined
  const can = abilitiesOf(connection, ctx)
  const mine = async () => ({ ...state, answers: talk.answers, tool: name, caller: await callerOf(connection, bearer) })
  const questions = failure?.type === 'clarification_required' ? talk.open() : undefined
  if (questions !== undefined)
    return (await askClient(connection, talk, questions, await mine())) ?? toolResultOf(answer)
  if (isOpenRequest(failure) && can.url) {
    const { approval_request_id: request } = failure
    const page = connection.options.approvalUrl?.(request) ?? failure.approval_url
    // Under the key of the call itself, whoever repeats it gets its answer.
    const key = textIn(ctx, 'idempotency_key') ?? randomUUID()
    if (page !== undefined)
      return openPage(connection, { ...(await mine()), request, round: 1, key }, tool?.title ?? name, page)
  }
  const { connection_url: place } = failure ?? {}
  if (place !== undefined && can.url && !isConnecting(state))
    return openConnectPage(connection, { ...(await mine()), connecting: 1 }, tool?.title ?? name, place)
  const sensitive = sensitiveInputs(connection.service.capabilities, tool?.capability ?? '')
  const asks = failure?.clarification?.inputs
  const form = asks && clarificationForm(asks, sensitive)
  if (form !== undefined && can.form && state?.clarified === undefined)
    return askFor(connection, form, { ...(await mine()), clarified: {} })
  return toolResultOf(answer)
}

const isOpenRequest = (failure: Failure | undefined): failure is Failure & { readonly approval_request_id: string } =>
  failure?.type === 'approval_required' && failure.approval_request_id !== undefined

const askFor = async (
  { states }: McpConnection,
  form: NonNullable<ReturnType<typeof clarificationForm>>,
  mine: CallState,
): Promise<InputRequiredResult> =>
  inputRequired({ inputRequests: { clarification: inputRequired.elicit(form) }, requestState: await states.mint(mine) })

const clarifiedBy = ({ mcpReq }: ServerContext): JsonObject =>
  (acceptedContent(mcpReq.inputResponses, 'clarification') ?? {}) as JsonObject

function repliedIn({ mcpReq }: ServerContext, page: 'approval' | 'connection'): 'opened' | 'declined' {
  const { action } = (mcpReq.inputResponses?.[page] ?? { action: 'accept' }) as { readonly action?: unknown }
  return action === 'accept' ? 'opened' : 'declined'
}

/** The state of an earlier round: of this tool and this caller, or the protocol error of a forged one (threat N18). */
async function stateOf(connection: McpConnection, { mcpReq }: ServerContext, tool: string, bearer: string) {
  const state = mcpReq.requestState<CallState>()
  if (state === undefined) return undefined
  if (state.tool === tool && state.caller === (await callerOf(connection, bearer))) return state
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState')
}

/** Tells callers apart without naming them: a state can be read by whoever holds it. */
async function callerOf({ service }: McpConnection, bearer: string): Promise<string> {
  const { claims } = await tokenOf(service, bearer)
  return sha256Hex(`${claims.root_principal}\0${claims.sub}`)
}
