/** What operators do, over an engine (decisions, section 13). */
import type { PausedCapability } from '../../../protocol/operator.js'
import type { Principal } from '../../../protocol/principals.js'
import type { OperatorStore, Sealed } from '../operator-store.js'
import { findBlock, insertBlock, liftStoredBlock, listBlocks } from './blocks.js'
import { integer, optionalText, textColumn } from './columns.js'
import { endStoredTokens, listBuyingApiKeys, listStoredTokens } from './listed-tokens.js'
import { keep, row, rows, type Engine, type WriteOutcome, type StoragePlan } from './plan.js'

const PAUSE = `
  insert into paused_capabilities (capability, reason, paused_by, paused_at, mac) values (?, ?, ?, ?, ?)
  on conflict (capability) do nothing returning capability`

export const operatorStore = (engine: Engine): OperatorStore => ({
  tokens: (filter) => engine.search(() => listStoredTokens(filter)),
  endTokens: (target, values, at, event) =>
    engine[event === undefined ? 'writeSingly' : 'write'](() => endStoredTokens(target, values, at, event)),
  buyingApiKeys: (now) => engine.search(() => listBuyingApiKeys(now)),
  block: (given) => engine.write(() => insertBlock(given)),
  blocks: (limit) => engine.search(() => listBlocks(limit)),
  blockOf: (who) => engine.read(() => findBlock(who)),
  lift: (blockId, by, at) => engine.writeSingly(() => liftStoredBlock(blockId, by, at)),
  pause: (paused) => engine.writeSingly(() => pause(paused)),
  resume: (capability) => engine.writeSingly(() => resume(capability)),
  paused: () => engine.read(paused),
})

function* pause(paused: Sealed<PausedCapability>): StoragePlan<WriteOutcome<boolean>> {
  const { capability, reason, paused_by, paused_at, mac = null } = paused
  return keep((yield* row(PAUSE, capability, reason, paused_by, Date.parse(paused_at), mac)) !== undefined)
}

function* resume(capability: string): StoragePlan<WriteOutcome<boolean>> {
  return keep(
    (yield* row('delete from paused_capabilities where capability = ? returning capability', capability)) !== undefined,
  )
}

/** There are no more than there are capabilities. */
export function* paused(): StoragePlan<readonly Sealed<PausedCapability>[]> {
  const sql =
    'select capability, reason, paused_by, paused_at, mac from paused_capabilities where capability >= ? order by capability'
  return (yield* rows(sql, '')).map((stored) => ({
    capability: textColumn(stored, 'capability'),
    reason: textColumn(stored, 'reason'),
    paused_by: textColumn(stored, 'paused_by') as Principal,
    paused_at: new Date(integer(stored, 'paused_at')).toISOString(),
    ...(optionalText(stored, 'mac') !== null && { mac: textColumn(stored, 'mac') }),
  }))
}
