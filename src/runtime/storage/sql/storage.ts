/** The whole contract over an engine. */
import { StorageUnavailable, type Storage } from '../contract.js'
import { accountStore } from './accounts.js'
import { allowanceStore } from './allowances.js'
import { approvalStore } from './approvals.js'
import { auditLog } from './audit-log.js'
import { bindingStore } from './bindings.js'
import { checkpointStore } from './checkpoints.js'
import { clockStore } from './clock.js'
import { connectionStore } from './connections.js'
import { integer, textColumn } from './columns.js'
import { idempotencyStore } from './idempotency.js'
import { intentStore } from './intents.js'
import { leaseStore } from './leases.js'
import { ledger } from './ledger.js'
import { keep, row, rows, type Engine, type WriteOutcome, type StoragePlan } from './plan.js'
import { operatorStore } from './operators.js'
import { outboxStore } from './outbox.js'
import { rateStore } from './rates.js'
import { rowTexts } from './row-texts.js'
import { secretOf } from './secrets.js'
import { sessionStore } from './sessions.js'
import { standingStore } from './standing.js'
import { sweepOf } from './sweep.js'
import { tokenStore } from './tokens.js'

export const storageOver = (engine: Engine): Storage => ({
  isShared: engine.isShared,
  tokens: tokenStore(engine),
  accounts: accountStore(engine),
  approvals: approvalStore(engine),
  leases: leaseStore(engine),
  rates: rateStore(engine),
  ledger: ledger(engine),
  allowances: allowanceStore(engine),
  bindings: bindingStore(engine),
  idempotency: idempotencyStore(engine),
  intents: intentStore(engine),
  audit: auditLog(engine),
  checkpoints: checkpointStore(engine),
  operators: operatorStore(engine),
  outbox: outboxStore(engine),
  sessions: sessionStore(engine),
  connections: connectionStore(engine),
  rowTexts: rowTexts(engine),
  standing: standingStore(engine),
  clock: clockStore(engine),
  belongsTo: (serviceId) => engine.writeSingly(() => belongsTo(serviceId)),
  nextBlock: () => engine.writeSingly(nextBlock),
  secret: secretOf(engine),
  now: () => engine.read(now),
  ready: () => engine.probe(touch),
  sweep: sweepOf(engine),
  close: () => engine.close(),
})

function* now(): StoragePlan<number> {
  const clock = yield* row('select :now as now')
  if (clock === undefined) throw new StorageUnavailable('The store gave no time.')
  return integer(clock, 'now')
}

function* nextBlock(): StoragePlan<WriteOutcome<number>> {
  const given = yield* row('update invocation_blocks set given = given + 1 where id = 1 returning given')
  if (given === undefined) throw new StorageUnavailable('The store gave no block of invocation ids.')
  return keep(integer(given, 'given'))
}

const OWNER = `
  update readiness set service_id = coalesce(service_id, ?) where id = 1 returning service_id`

function* belongsTo(serviceId: string): StoragePlan<WriteOutcome<string>> {
  const claimed = yield* row(OWNER, serviceId)
  return keep(claimed === undefined ? serviceId : textColumn(claimed, 'service_id'))
}

/** Writes a row, so that a store that can only be read is not called ready. */
function* touch(): StoragePlan<WriteOutcome<void>> {
  yield* rows('update readiness set touched_at = :now where id = 1')
  return keep(undefined)
}
