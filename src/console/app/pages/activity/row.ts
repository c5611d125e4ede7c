import type { AnsweredEntry } from '../../../../protocol/audit.js'
import { markup } from '../../markup.js'
import { State } from '../../parts/notice.js'
import { ROOT } from '../../place.js'
import { aboutOf, actorOf, forWhom, titleOf } from '../../words/entry.js'
import { money } from '../../words/money.js'
import { outcomeOf } from '../../words/outcome.js'
import { oneLine } from '../../words/safe-text.js'
import { exact, exactUtc } from '../../words/time.js'

/** The page of an entry: its invocation, else its approval request. */
export function hrefOf({ invocation_id, approval_request_id, entry_type }: AnsweredEntry): string | undefined {
  if (entry_type !== 'invocation' && approval_request_id !== null)
    return `${ROOT}/approvals/${encodeURIComponent(approval_request_id)}`
  return invocation_id === null ? undefined : `${ROOT}/activity/${encodeURIComponent(invocation_id)}`
}

/** An entry of the trail. */
export function EntryRow({ entry, now }: { readonly entry: AnsweredEntry; readonly now: number }) {
  const at = Date.parse(entry.timestamp)
  const href = hrefOf(entry)
  const { is, icon, word } = outcomeOf(entry)
  const about = aboutOf(entry)
  const whom = forWhom(entry)
  return markup`
    <tr>
      <td class="t">
        <time datetime=${entry.timestamp}>${exact(at, now)}</time><small>${exactUtc(at)}</small>
      </td>
      <td class="w">
        ${href === undefined ? titleOf(entry) : markup`<a href=${href}>${titleOf(entry)}</a>`}${about !== '' && markup`<small><bdi>${about}</bdi></small>`}
      </td>
      <td class="a">${actorOf(entry)}${whom && markup`<small class="wide-only">${whom}</small>`}</td>
      <td class="o"><${State} is=${is} icon=${icon} word=${word} /></td>
      <td class="c r num">${entry.cost_actual === null ? null : money(entry.cost_actual)}</td>
      <td class="task">${entry.task_id !== null && markup`<bdi class="said">${oneLine(entry.task_id, 40)}</bdi>`}</td>
    </tr>
  `
}
