/** Endpoints of operators (decisions, section 13). */
import { QUERY_PARAMETERS } from '../../protocol/query-parameters.js'
import { APPROVAL_STATES } from '../../protocol/words.js'
import { TOKEN_STATES, TOKEN_TARGETS, type BlockList } from '../../protocol/operator.js'
import { isPrincipal, LONGEST_PRINCIPAL } from '../../protocol/principals.js'
import { pageOfRequests } from '../approvals/request-page.js'
import { shownToApprover } from '../approvals/gated-step.js'
import { REASON_CHARACTERS } from '../approvals/reason.js'
import { idFilterIn, idInPath, idMember } from '../request/ids.js'
import { membersOf, shortText, optionalMembersOf } from '../request/members.js'
import { capabilityIn, countIn, principalIn, readQuery, textIn, wordIn } from '../request/query.js'
import { refuse } from '../errors/refusal.js'
import { present } from '../json/present.js'
import { endTokens, liftBlock, type TokenEnding } from '../operate/end-tokens.js'
import { findTokens } from '../operate/find-tokens.js'
import { pauseCapability, resumeCapability } from '../operate/pausing.js'
import { inRole } from '../operate/role-of.js'
import type { Service } from '../service.js'
import { ok, type Call, type Endpoint } from '../endpoint/endpoint.js'

const PAGE = { least: 1, most: 1000 } as const
const DEFAULT_PAGE = 100

/** GET /-/tokens. */
export const operator_tokens: Endpoint = async (service, call) => {
  await inRole(service, call, 'operator')
  const query = readQuery(call.query, QUERY_PARAMETERS.operator_tokens)
  const filter = present({
    principal: principalIn(query, 'principal'),
    subject: principalIn(query, 'subject'),
    api_key: textIn(query, 'api_key'),
    capability: capabilityIn(query, 'capability'),
    after: idFilterIn(query, 'cursor', 'token'),
    limit: countIn(query, 'limit', PAGE) ?? DEFAULT_PAGE,
  })
  return ok(await findTokens(service, filter, wordIn(query, 'state', TOKEN_STATES)))
}

/** POST /-/tokens/revoke. */
export const operator_revoke: Endpoint = async (service, call) => {
  const operator = await inRole(service, call, 'operator')
  return ok(await endTokens(service, operator, await endingIn(call)))
}

async function endingIn(call: Call): Promise<TokenEnding> {
  const body = membersOf(await call.body(), [...TOKEN_TARGETS, 'reason'])
  const given = TOKEN_TARGETS.flatMap((target) => {
    const value = shortText(body, target, LONGEST_PRINCIPAL)
    return value === undefined ? [] : [{ target, value }]
  })
  const [ending, second] = given
  if (ending === undefined || second !== undefined)
    return refuse('invalid_parameters', `Name exactly one of ${TOKEN_TARGETS.join(', ')}.`)
  if (ending.target === 'token_id') idMember(body, 'token_id', 'token')
  if ((ending.target === 'principal' || ending.target === 'subject') && !isPrincipal(ending.value))
    return refuse('invalid_parameters', `The member ${ending.target} must be a principal, as human:ana@example.com.`)
  return { ...ending, reason: reasonOf(body) }
}

const reasonOf = (body: Parameters<typeof shortText>[0]): string =>
  shortText(body, 'reason', REASON_CHARACTERS) ??
  refuse('invalid_parameters', 'The member reason is required: say why, the trail keeps it.')

/** GET /-/blocks: newest first, those that were lifted, too. */
export const operator_blocks: Endpoint = async (service, call) => {
  await inRole(service, call, 'operator')
  const query = readQuery(call.query, QUERY_PARAMETERS.operator_blocks)
  const blocks = await service.storage.operators.blocks(countIn(query, 'limit', PAGE) ?? DEFAULT_PAGE)
  return ok({ blocks, count: blocks.length } satisfies BlockList)
}

/** POST /-/blocks/{id}/lift. */
export const operator_block_lift: Endpoint = async (service, call) => {
  const operator = await inRole(service, call, 'operator')
  optionalMembersOf(await call.body(), [])
  const lifted = await liftBlock(service, operator, idInPath(call, 'block'))
  return ok(lifted ?? refuse('not_found', 'There is no such block, or it was lifted already.'))
}

/** GET /-/capabilities: those that are paused. */
export const operator_paused: Endpoint = async (service, call) => {
  await inRole(service, call, 'operator')
  return pausedNow(service)
}

/** POST /-/capabilities/{name}/pause. */
export const operator_pause: Endpoint = async (service, call) => {
  const operator = await inRole(service, call, 'operator')
  const reason = reasonOf(membersOf(await call.body(), ['reason']))
  await pauseCapability(service, operator, capabilityOf(service, call), reason)
  return pausedNow(service)
}

/** POST /-/capabilities/{name}/resume. */
export const operator_resume: Endpoint = async (service, call) => {
  const operator = await inRole(service, call, 'operator')
  const reason = reasonOf(membersOf(await call.body(), ['reason']))
  if (!(await resumeCapability(service, operator, capabilityOf(service, call), reason)))
    return refuse('not_found', 'This capability is not paused.')
  return pausedNow(service)
}

const pausedNow = async ({ storage }: Service) => ok({ paused: await storage.operators.paused() })

function capabilityOf({ capabilities }: Service, { segments }: Call): string {
  const name = segments['name'] ?? ''
  return capabilities.has(name) ? name : refuse('unknown_capability', 'Unknown capability.')
}

/** GET /-/approval_requests: those of everybody. */
export const operator_approvals: Endpoint = async (service, call) => {
  await inRole(service, call, 'operator')
  const query = readQuery(call.query, QUERY_PARAMETERS.operator_approvals)
  const { page, next_cursor } = await pageOfRequests(
    service,
    present({
      status: wordIn(query, 'status', APPROVAL_STATES),
      capability: capabilityIn(query, 'capability'),
      limit: countIn(query, 'limit', PAGE) ?? DEFAULT_PAGE,
      after: idFilterIn(query, 'cursor', 'approvalRequest'),
    }),
  )
  return ok(
    present({ approval_requests: page.map((each) => shownToApprover(service, each)), count: page.length, next_cursor }),
  )
}
