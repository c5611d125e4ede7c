/** A store whose rows give authority only where this service made them (decisions, section 20; threat N31). */
import { present } from '../json/present.js'
import { isErasedAnswer } from '../storage/sql/erase-copies.js'
import {
  StorageUnavailable,
  type Ceiling,
  type IdempotencyKey,
  type Settlement,
  type Storage,
  type StoredBinding,
} from '../storage/contract.js'
import { guardedApprovals } from './guarded-approvals.js'
import { guardedAccounts, guardedOperators, guardedStanding, resolutionMac } from './guarded-decisions.js'
import { guardedConnections } from './guarded-connections.js'
import { guardedOutbox } from './guarded-outbox.js'
import { guardedSessions } from './guarded-sessions.js'
import { sealedEvent } from './sealed-event.js'
import type { RowSeal } from './row-seal.js'
import { over } from './over.js'
import { isGenuine, openedText, sealedText, type RowGuard } from './row-guard.js'

export const guardedStorage = (storage: Storage, guard: RowGuard): Storage => ({
  ...storage,
  sessions: guardedSessions(storage.sessions, guard),
  connections: guardedConnections(storage.connections, guard),
  approvals: guardedApprovals(storage.approvals, guard),
  outbox: guardedOutbox(storage.outbox, guard),
  tokens: over(storage.tokens, {
    revoke: (id, at, event) => storage.tokens.revoke(id, at, sealedEvent(guard, event)),
  }),
  operators: guardedOperators(storage.operators, guard),
  accounts: guardedAccounts(storage.accounts, guard),
  standing: guardedStanding(storage.standing, guard),
  ledger: over(storage.ledger, {
    reserve: (holdId, ceilings, units) =>
      storage.ledger.reserve(
        holdId,
        ceilings.map((each) => sealedThreshold(guard, each)),
        units,
      ),
  }),
  bindings: guardedBindings(storage.bindings, guard),
  idempotency: guardedAnswers(storage.idempotency, guard),
  audit: over(storage.audit, {
    append: (take, seal) => storage.audit.append(() => take().map((each) => sealedSettlement(guard, each)), seal),
  }),
  secret: async (name, candidate) => {
    const sealed = await storage.secret(name, sealedText(guard, 'secrets', [name], candidate))
    const value = openedText(guard, 'secrets', [name], sealed)
    if (value === undefined) throw new StorageUnavailable(`The shared secret ${name} was altered.`)
    return value
  },
})

function sealedThreshold(guard: RowGuard, ceiling: Ceiling): Ceiling {
  const { threshold } = ceiling
  if (threshold === undefined) return ceiling
  return { ...ceiling, threshold: { ...threshold, eventAt: (units) => sealedEvent(guard, threshold.eventAt(units)) } }
}

/** Puts the MAC of a binding into its body. */
const sealedBinding = (seal: RowSeal, binding: StoredBinding): StoredBinding => ({
  ...binding,
  mac: seal.seal('bindings', [binding.binding_id], present(binding)),
})

const guardedBindings = (bindings: Storage['bindings'], guard: RowGuard): Storage['bindings'] => ({
  insert: (binding) => bindings.insert(sealedBinding(guard, binding)),
  get: async (id) => {
    const stored = await bindings.get(id)
    if (stored === undefined) return undefined
    const { mac, ...binding } = stored
    return isGenuine(guard, 'bindings', [id], binding, mac) ? binding : undefined
  },
})

const partsOf = ({ subject, capability, key }: IdempotencyKey): readonly string[] => [subject, capability, key]

/** An answer that nobody gave is none; the call that it stands for is not made again. */
const guardedAnswers = (idempotency: Storage['idempotency'], guard: RowGuard): Storage['idempotency'] =>
  over(idempotency, {
    start: async (key, ...rest) => {
      const started = await idempotency.start(key, ...rest)
      if (started.state !== 'answered' || isErasedAnswer(started)) return started
      const body = openedText(guard, 'idempotency', [...partsOf(key), `${started.status}`], started.body)
      return body === undefined ? { state: 'in_progress' } : { ...started, body }
    },
  })

function sealedSettlement(guard: RowGuard, settlement: Settlement): Settlement {
  const { answer, event, resolves } = settlement
  if (answer === undefined && event === undefined && resolves === undefined) return settlement
  const row = answer && [...partsOf(answer.key), `${answer.status}`]
  return {
    ...settlement,
    ...(event && { event: sealedEvent(guard, event) }),
    ...(resolves !== undefined && { resolutionMac: resolutionMac(guard, resolves) }),
    ...(answer && { answer: { ...answer, body: sealedText(guard, 'idempotency', row!, answer.body) } }),
  }
}
