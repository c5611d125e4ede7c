/** Texts of events for people: never a summary, a preview or an argument (decisions, section 13). */
import { alarmWords, type AlarmWords } from '../../../protocol/alarms.js'
import type { EventData, EventType, ServiceEvent } from '../../../protocol/events.js'
import type { Money } from '../../../protocol/money.js'

/** Events that people get by default: requests waiting for them, and problems. */
export const FOR_PEOPLE: readonly EventType[] = [
  'approval.requested',
  'approval.expiring',
  'invocation.outcome_unknown',
  'alarm.raised',
]

export interface PlainMessage {
  readonly headline: string
  readonly lines: readonly string[]
  /** The page where a person decides. */
  readonly link?: string
}

const HEADLINES: { readonly [type in EventType]: string } = {
  'approval.requested': 'Approval requested',
  'approval.decided': 'Approval decided',
  'approval.withdrawn': 'Approval request withdrawn',
  'approval.expiring': 'Approval request about to expire',
  'approval.expired': 'Approval request expired',
  'invocation.outcome_unknown': 'Outcome unknown',
  'token.revoked': 'Token revoked',
  'budget.threshold': 'Most of a budget is spent',
  'alarm.raised': 'Alarm',
}

const FACTS: readonly (readonly [label: string, of: (data: EventData) => string | undefined])[] = [
  ['Meaning', ({ alarm }) => alarm && alarmWords(alarm).means],
  ['Next step', ({ alarm }) => alarm && endOf(alarmWords(alarm))],
  ['Effect', ({ side_effect }) => side_effect],
  ['Requester', ({ requester }) => requester && requesterOf(requester)],
  ['Cost', ({ cost }) => cost && amountOf(cost)],
  ['Decision', ({ status, approver }) => status && [status, approver].filter(Boolean).join(' by ')],
  ['Budget', ({ budget, spent }) => budget && spent && `${amountOf(spent)} of ${amountOf(budget)}`],
  ['Until', ({ expires_at }) => expires_at],
  ['Request', ({ approval_request_id }) => approval_request_id],
  ['Invocation', ({ invocation_id }) => invocation_id],
  ['Token', ({ token_id }) => token_id],
]

/** An event in words. Each line is one, whatever a name has in it. */
export function messageOf({ type, source, data }: ServiceEvent): PlainMessage {
  const facts = FACTS.flatMap(([label, of]) => {
    const fact = of(data)
    return fact === undefined ? [] : [oneLine(`${label}: ${fact}`)]
  })
  const of = data.capability ?? data.alarm ?? Object.entries(data.target ?? {}).map((pair) => pair.join(' '))[0]
  return {
    headline: oneLine([HEADLINES[type], ...(of === undefined ? [] : [of])].join(': ')),
    lines: [...facts, oneLine(`Service: ${source}`)],
    ...(data.approval_url !== undefined && { link: data.approval_url }),
  }
}

const requesterOf = ({ subject, root_principal }: NonNullable<EventData['requester']>): string =>
  subject === root_principal ? subject : `${subject} for ${root_principal}`

const endOf = ({ ends, command }: AlarmWords): string => (command === undefined ? ends : `${ends} ${command}`)

const amountOf = ({ amount, currency }: Money): string => `${amount} ${currency}`

/** Control characters, line ends and what turns text around, as blanks. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300)
