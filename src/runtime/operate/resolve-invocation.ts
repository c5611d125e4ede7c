import type { AuditEntry } from '../../protocol/audit.js'
import { fromMinorUnits, minorUnits, type Money } from '../../protocol/money.js'
import type { InvocationResolution } from '../../protocol/operator.js'
import { reportDamage } from './audit.js'
import { refuse } from '../errors/refusal.js'
import { openHoldOf, type OpenHold } from '../call/settle/open-hold.js'
import { present } from '../json/present.js'
import type { Service } from '../service.js'
import { actionDraft, type ActingParty } from './record-action.js'

/** Finding of an operator about an unknown outcome, and how it was found. */
export interface WhatHappened {
  readonly happened: boolean
  readonly amount?: number
  readonly reason: string
}

/**
 * Settles an invocation whose outcome nobody knew: once, whoever says it first, in one transaction with the entry that
 * says so and with the budget hold that waited for it (decisions, section 11).
 */
export async function resolveInvocation(
  service: Service,
  by: ActingParty,
  id: string,
  finding: WhatHappened,
): Promise<InvocationResolution> {
  const entry = await entryOf(service, id)
  const hold = trusted(service, entry, await openHoldOf(service.storage, entry))
  if (entry.failure_type !== 'outcome_unknown' && hold === undefined)
    return refuse('not_found', `The outcome of ${id} is known: there is nothing to resolve.`)
  const units = await unitsOf(service, entry, hold, finding)
  const currency = hold?.currency ?? currencyOf(service, entry)
  const cost = units === undefined || currency === undefined ? undefined : fromMinorUnits(units, currency)
  const sealed = await service.record({
    draft: draftOf(service, by, { entry, hold, finding, cost, exceeds: (units ?? 0n) > (hold?.units ?? units ?? 0n) }),
    resolves: id,
    hold: hold && { holdId: id, units: units!, ceilings: hold.ceilings },
  })
  if (sealed === undefined) return refuse('not_found', `The outcome of ${id} was resolved already.`)
  const left = hold === undefined ? 0n : hold.units - units!
  const released = left > 0n ? fromMinorUnits(left, hold!.currency) : undefined
  return present({ resolved: true as const, invocation_id: id, happened: finding.happened, cost, released })
}

/** Entries never change, so what is read of one here holds when it is settled. */
async function entryOf(service: Service, id: string): Promise<AuditEntry> {
  const filter = { invocation_id: id, limit: 1 }
  const [entry] = await service.storage.audit.query(filter).catch((error: unknown) => reportDamage(service, error))
  if (entry?.entry_type === 'invocation' && entry.invocation_id === id) return entry
  return refuse('not_found', `The trail has no invocation ${id}: it has not ended, was erased, or never was.`)
}

/** A hold of as much as the trail says: a row of the database that says otherwise was altered (threat N08). */
function trusted({ alarms, log }: Service, { invocation_id, cost_held }: AuditEntry, hold: OpenHold | undefined) {
  const units = cost_held && minorUnits(cost_held)
  if (hold === undefined || cost_held === undefined || units === undefined) return hold
  if (hold.units === units && hold.currency === cost_held.currency) return hold
  alarms.add('counters_altered')
  log.error('The budget hold of an invocation differs from the audit trail.', { invocation_id })
  return { ...hold, units, currency: cost_held.currency }
}

/** Returns the amount that counts as spent from now on, in minor units; undefined if none is known. */
async function unitsOf(
  service: Service,
  entry: AuditEntry,
  hold: OpenHold | undefined,
  { happened, amount }: WhatHappened,
): Promise<bigint | undefined> {
  const currency = hold?.currency ?? currencyOf(service, entry)
  if (currency === undefined)
    return amount === undefined
      ? undefined
      : refuse('invalid_parameters', 'This capability costs no money: leave the member amount out.')
  if (happened && amount === undefined) return hold?.units
  const units = minorUnits({ currency, amount: amount ?? 0 })
  if (units === undefined)
    return refuse('invalid_parameters', `The amount must be one of ${currency}, with no more decimals than it has.`)
  const least = await spentBySteps(service, entry, currency)
  if (units >= least) return units
  const spent = fromMinorUnits(least, currency).amount
  return refuse(
    'invalid_parameters',
    `Its steps have spent ${spent} ${currency}: say that it happened, with at least that amount.`,
  )
}

const currencyOf = ({ capabilities }: Service, { capability, cost_actual }: AuditEntry): string | undefined =>
  cost_actual?.currency ?? capabilities.get(capability ?? '')?.cost?.financial?.currency

/** Steps of a composition. */
const MOST_STEPS = 1000

/**
 * Returns the amount that the steps of a composition spent of its hold; a step with its own hold or payment counts by
 * itself.
 */
async function spentBySteps(
  { storage, capabilities }: Service,
  { capability, invocation_id, root_principal }: AuditEntry,
  currency: string,
): Promise<bigint> {
  if (capabilities.get(capability ?? '')?.composition === undefined) return 0n
  const filter = { parent_invocation_id: invocation_id!, rootPrincipal: root_principal, limit: MOST_STEPS }
  const steps = await storage.audit.query(filter)
  return steps.reduce((sum, step) => sum + unitsIn(step, currency), 0n)
}

function unitsIn({ entry_type, cost_actual, cost_charged, cost_held }: AuditEntry, currency: string): bigint {
  const isOfTheWhole = entry_type === 'invocation' && cost_charged === undefined && cost_held === undefined
  return isOfTheWhole && cost_actual?.currency === currency ? (minorUnits(cost_actual) ?? 0n) : 0n
}

interface Resolved {
  readonly entry: AuditEntry
  readonly hold: OpenHold | undefined
  readonly finding: WhatHappened
  readonly cost: Money | undefined
  readonly exceeds: boolean
}

/** The entry stands beside that of the invocation; it names the tokens under which a hold was settled. */
function draftOf(service: Service, by: ActingParty, { entry, hold, finding, cost, exceeds }: Resolved) {
  const { happened, reason } = finding
  const target = { invocation_id: entry.invocation_id! }
  const operated = present({ name: 'invocation_resolved' as const, target, happened, cost, reason })
  return {
    ...actionDraft(service, by, operated),
    capability: entry.capability,
    parent_invocation_id: entry.invocation_id,
    delegation_chain: hold === undefined ? [] : entry.delegation_chain,
    ...(exceeds && { cost_exceeded: true as const }),
    ...(hold && cost && { cost_charged: cost, cost_held: fromMinorUnits(hold.units, hold.currency) }),
  }
}
