import type { AnsweredEntry } from '../../protocol/audit.js'
import { moneyText } from '../service/money-text.js'
import { printable } from '../shared/output/printable.js'

/** An entry of the trail in one line: when, what, who, and how it ended. */
export const entryLine = ({
  timestamp,
  sequence,
  entry_type,
  invocation_id,
  capability,
  ...rest
}: AnsweredEntry): string =>
  [
    timestamp,
    String(sequence),
    endOf(rest),
    kindOf(entry_type),
    capability ?? '',
    invocation_id ?? '',
    whoOf(rest),
    costOf(rest),
    ...pricesOf(rest),
  ]
    .filter((part) => part !== '')
    .map(printable)
    .join('  ')

/** A call is known by its capability; a decision about one is none. */
const kindOf = (type: AnsweredEntry['entry_type']): string => (type === 'invocation' ? '' : type)

type Rest = Pick<
  AnsweredEntry,
  'success' | 'failure_type' | 'actor_key' | 'root_principal' | 'cost_actual' | 'approval'
>

const endOf = ({ success, failure_type }: Pick<Rest, 'success' | 'failure_type'>): string =>
  success ? 'ok' : (failure_type ?? 'failed')

/** The actor, and on whose behalf; of a grant, also the agent whose call was approved. */
const whoOf = ({ actor_key, root_principal, approval }: Rest): string => {
  const agent = approval?.requester
  if (agent === undefined) return actor_key === root_principal ? actor_key : `${actor_key} for ${root_principal}`
  return `${actor_key} to ${agent}${agent === root_principal ? '' : ` for ${root_principal}`}`
}

const costOf = ({ cost_actual }: Pick<Rest, 'cost_actual'>): string =>
  cost_actual === null ? '' : moneyText(cost_actual)

/** Of a grant: the price that was checked, and each that was quoted. */
const pricesOf = ({ approval }: Pick<Rest, 'approval'>): readonly string[] => [
  ...(approval?.checked_cost === undefined ? [] : [`checked ${moneyText(approval.checked_cost)}`]),
  ...(approval?.quoted ?? []).map(
    ({ type, price }) => `${type}${price === undefined ? '' : ` of ${moneyText(price)}`}`,
  ),
]
