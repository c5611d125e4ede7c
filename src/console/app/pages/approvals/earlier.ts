import type { ApprovalRequest } from '../../../../protocol/approval.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { State } from '../../parts/notice.js'
import { nameOf, whoIs } from '../../words/people.js'
import { oneLine } from '../../words/safe-text.js'
import { both, local } from '../../words/time.js'
import { stateOf } from './states.js'

interface EarlierProps {
  readonly request: ApprovalRequest
  readonly me: string
}

/** Shows earlier decisions for the same requester and capability. */
export function EarlierPanel({ request: { context, requester }, me }: EarlierProps) {
  const now = useNow()
  const { counts = {}, last = [] } = context?.earlier ?? {}
  const said = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`)
  if (said.length === 0)
    return markup`<section class="panel">
      <h2>First request of ${nameOf(requester.subject)} for this</h2>
      <p class="small muted">No earlier decisions.</p>
    </section>`
  return markup`
    <section class="panel flush" aria-labelledby="before">
      <div class="pad"><h2 id="before">Earlier requests of ${nameOf(requester.subject)}: ${said.join(', ')}</h2></div>
      ${
        last.length > 0 &&
        markup` <table class="table hist">
          <thead class="vh">
            <tr>
              <th>Decision</th>
              <th>By</th>
              <th>When</th>
            </tr>
          </thead>
          <tbody>
            ${last.map(({ status, approver, decided_at, reason }) => {
              const { is, icon, word } = stateOf({ status })
              const at = Date.parse(decided_at)
              return markup`<tr>
                <td><${State} is=${is} icon=${icon} word=${word} /></td>
                <td>
                  by ${whoIs(approver, me)}${reason !== null && markup`<small>“<bdi>${oneLine(reason)}</bdi>”</small>`}
                </td>
                <td class="r"><time datetime=${decided_at} title=${both(at, now)}>${local(at, now)}</time></td>
              </tr>`
            })}
          </tbody>
        </table>`
      }
    </section>
  `
}
