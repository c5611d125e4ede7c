import type { ApprovalRequest } from '../../../../protocol/approval.js'
import type { Json } from '../../../../protocol/manifest.js'
import type { Here } from '../../here.js'
import { markup } from '../../markup.js'
import { State } from '../../parts/notice.js'
import { ROOT } from '../../place.js'
import { effectWords } from '../../words/effect.js'
import { headline } from '../../words/headline.js'
import { money } from '../../words/money.js'
import { nameOf } from '../../words/people.js'
import { oneLine } from '../../words/safe-text.js'
import { distinctValues, showsIdsOnly } from '../../words/request-values.js'
import { valueText } from '../../words/values.js'
import { both, local, span, utc } from '../../words/time.js'
import { quorumShort } from './quorum.js'

export const requestHref = (id: string): string => `${ROOT}/approvals/${id}`

/** Returns the effect of a request: that of the capability that runs. */
export const effectOf = ({ person }: Pick<Here, 'person'>, { capability, step }: ApprovalRequest) =>
  person.effects[step?.capability ?? capability]

/** Names the requester, the root principal and the task. */
export const whoAsks = ({ requester, task_id }: ApprovalRequest): string => {
  const whom = requester.root_principal === requester.subject ? '' : `, for ${nameOf(requester.root_principal)}`
  return `${nameOf(requester.subject)}${whom}${task_id === undefined ? '' : ` · task ${oneLine(task_id, 60)}`}`
}

interface RowProps {
  readonly here: Here
  readonly request: ApprovalRequest
  /** All that wait, this one included. */
  readonly waiting: readonly ApprovalRequest[]
  readonly now: number
  readonly isChosen: boolean
  readonly mayChoose: boolean
  readonly onChoose: () => void
}

const valueOf = ([label, value]: readonly [string, Json]) =>
  markup`<span>${oneLine(label, 40)} <bdi class="said">${oneLine(valueText(value), 40)}</bdi> </span>`

/** A request in the inbox. What cannot be undone is decided on its own page only, so it has no check box. */
export function Row({ here, request, waiting, now, isChosen, mayChoose, onChoose }: RowProps) {
  const { approval_request_id: id, checked_cost, expires_at } = request
  const effect = effectWords(effectOf(here, request), here.me.service)
  const title = headline(request, { cost: false })
  const values = distinctValues(request, waiting)
  const ends = Date.parse(expires_at)
  return markup`
    <li class=${isChosen ? 'ask on' : 'ask'} data-request=${id}>
      ${
        effect.is === 'irreversible'
          ? markup`<span></span>`
          : markup`<label class="hit">
              <input type="checkbox" checked=${isChosen} disabled=${!mayChoose} onChange=${onChoose} />
              <span class="vh">Select: ${title}</span>
            </label>`
      }
      <div class="say">
        <h2><a href=${requestHref(id)} aria-describedby=${values.length > 0 ? `values-${id}` : undefined}>${title}</a></h2>
        ${
          values.length > 0 &&
          markup`<p class="values" id=${`values-${id}`}>
            ${values.map(valueOf)}
          </p>`
        }
        ${showsIdsOnly(request) && markup`<p class="small muted">${here.me.service} shows only ids for this request.</p>`}
        <p>${whoAsks(request)}${quorumShort(request)}</p>
      </div>
      <div class="undo small">
        <${State} is=${effect.is} icon=${effect.icon} word=${effect.short} />
        <p>${effect.shortDetail}</p>
      </div>
      <div class="money">
        <span class="num">${checked_cost === undefined ? 'Cost unknown' : money(checked_cost)}</span>
        <p>${checked_cost === undefined ? 'none was checked' : 'checked cost'}</p>
      </div>
      <div class="r time">
        <span class="num">${span(ends - now)} left</span>
        <p>
          <time datetime=${expires_at} title=${both(ends, now)}>until ${local(ends, now)}</time><br /><span
            class="wide-only"
            >${utc(ends)}</span
          >
        </p>
      </div>
    </li>
  `
}
