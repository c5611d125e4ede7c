/**
 * Rows that take authority away: they stay in force whatever is done to them, and one that this service did not write
 * is reported (decisions, section 20; threat N31).
 */
import { canonicalText } from '../../crypto/json/canonical.js'
import type { Block, PausedCapability } from '../../protocol/operator.js'
import type {
  AccountStore,
  FoundRequest,
  NamedAccount,
  OperatorStore,
  RequestDecision,
  Sealed,
  StandingStore,
  StoredDecision,
  StoredRequest,
} from '../storage/contract.js'
import { decisionValues } from '../storage/sql/approval-rows.js'
import { sealedEvent } from './sealed-event.js'
import { over } from './over.js'
import type { ColumnTable } from '../storage/row-texts.js'
import type { RowGuard } from './row-guard.js'
import type { RowSeal } from './row-seal.js'

export const guardedOperators = (operators: OperatorStore, guard: RowGuard): OperatorStore =>
  over(operators, {
    endTokens: (target, values, at, event) => operators.endTokens(target, values, at, sealedEvent(guard, event)),
    block: async (block) => judged(guard, BLOCK, await operators.block(sealed(guard, BLOCK, block))).row,
    blocks: async (limit) => (await operators.blocks(limit)).map((block) => judged(guard, BLOCK, block).row),
    blockOf: async (who) => {
      const block = await operators.blockOf(who)
      return block && judged(guard, BLOCK, block).row
    },
    lift: async (id, by, at) => {
      const lifted = await operators.lift(id, by, at)
      return lifted && withoutMac(lifted)
    },
    pause: (paused) => operators.pause(sealed(guard, PAUSE, paused)),
    paused: async () => (await operators.paused()).map((paused) => judged(guard, PAUSE, paused).row),
  })

export const guardedAccounts = (accounts: AccountStore, guard: RowGuard): AccountStore =>
  over(accounts, {
    remember: (account, principal) =>
      accounts.remember(account, principal, guard.seal('accounts', accountKey({ account, principal }), [])),
  })

export const guardedStanding = (standing: StandingStore, guard: RowGuard): StandingStore =>
  over(standing, {
    blocks: async () => (await standing.blocks()).map((block) => marked(guard, BLOCK, block)),
    pauses: async () => (await standing.pauses()).map((paused) => marked(guard, PAUSE, paused)),
    requests: async (ids) =>
      new Map([...(await standing.requests(ids))].map(([id, found]) => [id, judgedRequest(guard, id, found)])),
    restoreBlock: (block) => standing.restoreBlock(sealed(guard, BLOCK, block)),
    restoreRequest: (request, decision) =>
      standing.restoreRequest(request, sealedDecision(guard, request.approval_request_id, request.status, decision)),
    restoreResolution: (id) => standing.restoreResolution(id, resolutionMac(guard, id)),
  })

const accountKey = ({ account: { issuer, subject }, principal }: NamedAccount): readonly string[] => [
  issuer,
  subject,
  principal,
]

/** Where the rows of a kind are, and what their MAC covers, as their columns hold it. */
interface Kind<Row> {
  readonly table: ColumnTable
  readonly key: (row: Row) => readonly string[]
  readonly part: (row: Row) => readonly (string | number)[]
}

const BLOCK: Kind<Block> = {
  table: 'blocks',
  key: ({ block_id }) => [block_id],
  part: ({ kind, value, reason, created_by, created_at }) => [kind, value, reason, created_by, Date.parse(created_at)],
}

const PAUSE: Kind<PausedCapability> = {
  table: 'paused_capabilities',
  key: ({ capability }) => [capability],
  part: ({ reason, paused_by, paused_at }) => [reason, paused_by, Date.parse(paused_at)],
}

const sealed = <Row extends object>(seal: RowSeal, { table, key, part }: Kind<Row>, row: Row): Sealed<Row> => ({
  ...row,
  mac: seal.seal(table, key(row), part(row)),
})

/** Returns the MAC of the row that says that an invocation is resolved. */
export const resolutionMac = (seal: RowSeal, invocationId: string): string =>
  seal.seal('resolutions', [invocationId], [])

/** Reports a row that this service did not write. */
function judged<Row extends object>(guard: RowGuard, { table, key, part }: Kind<Row>, stored: Sealed<Row>) {
  const isGenuine = guard.holds(table, key(stored), part(stored), stored.mac)
  if (!isGenuine) guard.inForce(table, key(stored))
  return { isGenuine, row: withoutMac(stored) as Row }
}

function marked<Row extends object>(guard: RowGuard, kind: Kind<Row>, stored: Sealed<Row>): Sealed<Row> {
  const { isGenuine, row } = judged(guard, kind, stored)
  return isGenuine ? row : { ...row, isForged: true }
}

function withoutMac<Row extends { readonly mac?: string }>(row: Row): Omit<Row, 'mac'> {
  const { mac: _, ...rest } = row
  return rest
}

type Decided = Pick<StoredRequest, 'status' | 'approver' | 'decided_at' | 'reason'> & {
  readonly decided?: StoredDecision
}

/** Puts the MAC of a decision into it. */
export const sealedDecision = (
  seal: RowSeal,
  id: string,
  status: StoredRequest['status'],
  decision: RequestDecision,
): RequestDecision => ({ ...decision, decidedMac: seal.seal('decisions', [id], valuesOf(status, decision)) })

/** Holds for a decision that this service wrote. */
export function isDecisionGenuine(guard: RowGuard, id: string, request: Decided): boolean {
  const { status, approver, decided_at, reason, decided = {} } = request
  const { mac, ...evidence } = decided
  if (approver === null || decided_at === null) return false
  return guard.holds('decisions', [id], valuesOf(status, { approver, decided_at, reason, ...evidence }), mac)
}

/** Marks a request that the service did not open so, or deny so. */
function judgedRequest(guard: RowGuard, id: string, found: FoundRequest): FoundRequest {
  const { request } = found
  const isOpened = isErased(request) || guard.holds('approval_requests', [id], requestPart(request), request.mac)
  const isDecided = isErased(request) || !isRefusal(request) || isDecisionGenuine(guard, id, request)
  return isOpened && isDecided && found.isMoved !== true ? found : { ...found, isForged: true }
}

/** Holds for a request that has ended, and of whose content nothing is left to believe. */
export const isErased = ({ isErased, status, requested_parameters }: StoredRequest): boolean =>
  isErased === true && status !== 'pending' && canonicalText(requested_parameters) === '{}'

/** Holds for a request that a person denied or sent back: its reason is told to the requester. */
export const isRefusal = ({ status }: Pick<StoredRequest, 'status'>): boolean =>
  status === 'denied' || status === 'returned'

/** All of a request that never changes. */
export function requestPart(request: StoredRequest): unknown {
  const {
    status,
    approver,
    decided_at,
    reason,
    approvals,
    answered_at,
    grant_id,
    invocation_id,
    mac,
    decided,
    ...fixed
  } = request
  return fixed
}

/** The columns of a decision, without its MAC. */
const valuesOf = (status: StoredRequest['status'], decision: RequestDecision) =>
  decisionValues(status, decision).slice(0, -1)
