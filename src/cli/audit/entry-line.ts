import type { AnsweredEntry } from '../../protocol/audit.js'
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
  ]
    .filter((part) => part !== '')
    .map(printable)
    .join('  ')

/** A call is known by its capability; a decision about one is none. */
const kindOf = (type: AnsweredEntry['entry_type']): string => (type === 'invocation' ? '' : type)

type Rest = Pick<AnsweredEntry, 'success' | 'failure_type' | 'actor_key' | 'root_principal' | 'cost_actual'>

const endOf = ({ success, failure_type }: Pick<Rest, 'success' | 'failure_type'>): string =>
  success ? 'ok' : (failure_type ?? 'failed')

const whoOf = ({ actor_key, root_principal }: Pick<Rest, 'actor_key' | 'root_principal'>): string =>
  actor_key === root_principal ? actor_key : `${actor_key} for ${root_principal}`

const costOf = ({ cost_actual }: Pick<Rest, 'cost_actual'>): string =>
  cost_actual === null ? '' : `${cost_actual.amount} ${cost_actual.currency}`
