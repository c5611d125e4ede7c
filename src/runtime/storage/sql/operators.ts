/** What operators do, over an engine (decisions, section 13). */
import type { PausedCapability } from '../../../protocol/operator.js'
import type { Principal } from '../../../protocol/principals.js'
import type { OperatorStore } from '../operator-store.js'
import { block, blockOf, blocks, lift } from './blocks.js'
import { integer, text } from './columns.js'
import { buyingApiKeys, endTokens, listTokens } from './listed-tokens.js'
import { keep, row, rows, tell, type Engine, type Outcome, type Plan } from './plan.js'

const PAUSE = `
  insert into paused_capabilities (capability, reason, paused_by, paused_at) values (?, ?, ?, ?)
  on conflict (capability) do nothing`

export const operatorStore = (engine: Engine): OperatorStore => ({
  tokens: (filter) => engine.search(() => listTokens(filter)),
  endTokens: (target, values, at) => engine.writeSingly(() => endTokens(target, values, at)),
  buyingApiKeys: (now) => engine.search(() => buyingApiKeys(now)),
  block: (given) => engine.write(() => block(given)),
  blocks: (limit) => engine.search(() => blocks(limit)),
  blockOf: (who) => engine.read(() => blockOf(who)),
  lift: (blockId, by, at) => engine.writeSingly(() => lift(blockId, by, at)),
  pause: (paused) => engine.write(() => pause(paused)),
  resume: (capability) => engine.writeSingly(() => resume(capability)),
  paused: () => engine.read(paused),
})

function* pause({ capability, reason, paused_by, paused_at }: PausedCapability): Plan<Outcome<void>> {
  yield* tell(PAUSE, capability, reason, paused_by, Date.parse(paused_at))
  return keep(undefined)
}

function* resume(capability: string): Plan<Outcome<boolean>> {
  return keep(
    (yield* row('delete from paused_capabilities where capability = ? returning capability', capability)) !== undefined,
  )
}

/** There are no more than there are capabilities. */
function* paused(): Plan<readonly PausedCapability[]> {
  const sql =
    'select capability, reason, paused_by, paused_at from paused_capabilities where capability >= ? order by capability'
  return (yield* rows(sql, '')).map((stored) => ({
    capability: text(stored, 'capability'),
    reason: text(stored, 'reason'),
    paused_by: text(stored, 'paused_by') as Principal,
    paused_at: new Date(integer(stored, 'paused_at')).toISOString(),
  }))
}
