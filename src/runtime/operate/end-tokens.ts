import { setTimeout as sleep } from 'node:timers/promises'
import {
  BLOCK_KINDS,
  type Block,
  type BlockKind,
  type TokensRevocation,
  type TokenTarget,
} from '../../protocol/operator.js'
import { foldOf } from '../../protocol/fold.js'
import type { Principal } from '../../protocol/principals.js'
import { endLent } from '../approvals/lent-authority.js'
import { START_WITHIN_MS } from '../auth/token.js'
import { endConnectionsOf } from '../connections/kept-connection.js'
import { tokensEndedEvent } from '../events/event.js'
import { present } from '../json/present.js'
import { timestamp } from '../json/timestamp.js'
import type { Service } from '../service.js'
import { recordAction, recordEnding, type ActingParty } from './record-action.js'

export interface TokenEnding {
  readonly target: TokenTarget
  readonly value: string
  readonly reason: string
}

/**
 * Ends all tokens of a target in one write, and blocks who bought or holds them, first. The answer waits until whatever
 * other replicas found standing before has started (threat R05).
 */
export async function endTokens(service: Service, by: ActingParty, asked: TokenEnding): Promise<TokensRevocation> {
  const ending = isName(asked.target) ? { ...asked, value: foldOf(asked.value) } : asked
  const block = isBlockable(ending.target) ? await blockFor(service, by, ending.target, ending) : undefined
  const ended = await endMeant(service, ending)
  await endSessions(service, ending)
  await endAccounts(service, by, ending)
  const lent = isBlockable(ending.target) ? endLent(service, ending.target, ending.value) : undefined
  const [lending] = await Promise.allSettled([lent])
  const started = service.storage.isShared ? sleep(START_WITHIN_MS) : undefined
  const { target, value, reason } = ending
  const block_id = block?.block_id
  const operated = present({ name: 'tokens_revoked' as const, target: { [target]: value }, reason, block_id })
  await recordEnding(service, by, operated, ended)
  if (lending.status === 'rejected') throw lending.reason
  await started
  return present({ revoked: true as const, tokens: ended.length, block })
}

/** Names end and block whoever has them, however they are written. */
const isName = (target: TokenTarget): boolean => target === 'principal' || target === 'subject'

const isBlockable = (target: TokenTarget): target is BlockKind => BLOCK_KINDS.some((kind) => kind === target)

function blockFor(service: Service, by: ActingParty, kind: BlockKind, { value, reason }: TokenEnding): Promise<Block> {
  const block_id = service.ids.make('block')
  const created_at = timestamp(service.now())
  return service.storage.operators.block({ block_id, kind, value, reason, created_by: by.principal, created_at })
}

/** Ends tokens as they stand, by all names of a principal, and gives their ids. */
export async function endMeant(
  service: Service,
  { target, value }: Pick<TokenEnding, 'target' | 'value'>,
): Promise<readonly string[]> {
  const values = target === 'principal' ? await service.storage.accounts.everyNameOf([value as Principal]) : [value]
  const event = tokensEndedEvent(service, { [target]: value })
  const ended = await service.storage.operators.endTokens(target, values, service.now(), event)
  service.revocations.count += 1
  return ended
}

/** Ends console sessions of a principal, by all of its names, or of an API key. */
async function endSessions({ storage }: Service, { target, value }: TokenEnding): Promise<void> {
  if (target === 'api_key') await storage.sessions.endAll({ api_key: value })
  if (target !== 'principal') return
  const names = await storage.accounts.everyNameOf([value as Principal])
  await Promise.all(names.map((principal) => storage.sessions.endAll({ principal })))
}

/** Ends connections of a principal, by all of its names. */
async function endAccounts(service: Service, by: ActingParty, { target, value }: TokenEnding): Promise<void> {
  if (target !== 'principal') return
  await endConnectionsOf(service, await service.storage.accounts.everyNameOf([value as Principal]), by)
}

/**
 * Lifts a block; tokens that were bought before then stay ended. Undefined where there is none that holds. It is
 * recorded first: a block that is missing is put back as the trail has it.
 */
export async function liftBlock(service: Service, by: ActingParty, blockId: string): Promise<Block | undefined> {
  const block = (await service.storage.standing.blocks()).find(({ block_id }) => block_id === blockId)
  if (block === undefined) return undefined
  await recordAction(service, by, { name: 'block_lifted', target: { [block.kind]: block.value }, block_id: blockId })
  return service.storage.operators.lift(blockId, by.principal, service.now())
}
