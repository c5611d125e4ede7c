/** The events of a service, for whoever wants to be told (decisions, section 13). */
import { randomUUID } from 'node:crypto'
import type { AuditDraft } from '../../protocol/audit.js'
import type { EventData, EventType, ServiceEvent } from '../../protocol/events.js'
import { fromMinorUnits } from '../../protocol/money.js'
import type { Budget, DelegationClaims } from '../../protocol/token.js'
import { approvalUrl } from './approval-url.js'
import { present } from '../json/present.js'
import { timestamp } from '../json/timestamp.js'
import type { Alarm } from '../telemetry/alarms.js'
import type { OutgoingEvent, StoredRequest } from '../storage/contract.js'
import type { Reporter } from './reporter.js'

interface Reported {
  readonly type: EventType
  readonly subject: string
  /** Part that makes the id unique, if type and subject do not. */
  readonly once?: string
  readonly data: EventData
}

/** The event, ready to be stored; undefined where nobody wants to be told. */
function eventOf(service: Reporter, { type, subject, once, data }: Reported): OutgoingEvent | undefined {
  const targets = service.notify.filter(({ events }) => events.includes(type)).map(({ name }) => name)
  if (targets.length === 0) return undefined
  const id = [type, subject, ...(once === undefined ? [] : [once])].join('.')
  const event: ServiceEvent = {
    specversion: '1.0',
    id,
    source: service.id,
    type,
    subject,
    time: timestamp(service.now()),
    datacontenttype: 'application/json',
    data,
  }
  return { id, type, subject, body: JSON.stringify(event), targets }
}

/** Returns the event of an approval request. */
export function approvalEvent(
  service: Reporter,
  type: EventType,
  request: StoredRequest,
  decided: Pick<EventData, 'status' | 'approver'> = {},
): OutgoingEvent | undefined {
  const { approval_request_id, capability, requester, checked_cost, expires_at } = request
  return eventOf(service, {
    type,
    subject: approval_request_id,
    data: present({
      capability,
      side_effect: effectOf(service, capability),
      requester: { subject: requester.subject, root_principal: requester.root_principal },
      cost: checked_cost,
      approval_request_id,
      ...approvalUrl(service, approval_request_id),
      ...decided,
      expires_at,
    }),
  })
}

const effectOf = ({ capabilities }: Reporter, capability: string) => capabilities.get(capability)?.side_effect.type

/** An invocation of which nobody knows what became. */
export function unknownOutcomeEvent(service: Reporter, draft: AuditDraft): OutgoingEvent | undefined {
  const { invocation_id, capability, actor_key, root_principal, failure_type, cost_actual } = draft
  if (failure_type !== 'outcome_unknown' || invocation_id === null) return undefined
  return eventOf(service, {
    type: 'invocation.outcome_unknown',
    subject: invocation_id,
    data: present({
      capability: capability ?? undefined,
      side_effect: capability === null ? undefined : effectOf(service, capability),
      requester: { subject: actor_key, root_principal },
      cost: cost_actual ?? undefined,
      invocation_id,
    }),
  })
}

/** A token that was ended, and with it all below. */
export const tokenRevokedEvent = (service: Reporter, { jti, sub, root_principal, capability }: DelegationClaims) =>
  eventOf(service, {
    type: 'token.revoked',
    subject: jti,
    data: present({ token_id: jti, requester: { subject: sub, root_principal }, capability }),
  })

/** Tokens that were ended together: one event for all of them. */
export const tokensEndedEvent = (service: Reporter, target: { readonly [name: string]: string }) =>
  eventOf(service, {
    type: 'token.revoked',
    subject: Object.values(target).join(' '),
    once: randomUUID(),
    data: { target },
  })

/** A cumulative budget of which so much is spent or held that somebody should know. */
export const budgetEvent = (service: Reporter, claims: DelegationClaims, budget: Budget, spentUnits: bigint) =>
  eventOf(service, {
    type: 'budget.threshold',
    subject: claims.jti,
    data: {
      token_id: claims.jti,
      requester: { subject: claims.sub, root_principal: claims.root_principal },
      budget: { currency: budget.currency, amount: budget.max_amount },
      spent: fromMinorUnits(spentUnits, budget.currency),
    },
  })

/** An alarm of this process. */
export const alarmEvent = (service: Reporter, alarm: Alarm): OutgoingEvent | undefined =>
  eventOf(service, { type: 'alarm.raised', subject: alarm, once: randomUUID(), data: { alarm } })
