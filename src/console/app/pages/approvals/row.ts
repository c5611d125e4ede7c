import type { ApprovalRequest } from '../../../../protocol/approval.js'
import type { Json } from '../../../../protocol/manifest.js'
import { nameInWords } from '../../../../protocol/name-in-words.js'
import type { Here } from '../../here.js'
import { markup } from '../../markup.js'
import { State } from '../../parts/notice.js'
import { ROOT } from '../../place.js'
import { effectWords } from '../../words/effect.js'
import { headline } from '../../words/headline.js'
import { money, sumOf } from '../../words/money.js'
import { nameOf } from '../../words/people.js'
import { oneLine } from '../../words/safe-text.js'
import { distinctValues, nameInGroup, showsIdsOnly } from '../../words/request-values.js'
import { valueText } from '../../words/values.js'
import { both, local, span, utc } from '../../words/time.js'
import { quorumShort } from './quorum.js'

export const requestHref = (id: string): string => `${ROOT}/approvals/${id}`

/** Returns the effect of a request: that of the capability that runs. */
export const effectOf = ({ person }: Pick<Here, 'person'>, { capability, step }: ApprovalRequest) =>
  person.effects[step?.capability ?? capability]

/** Names the requester, the root principal and the task. */
export const whoAsks = ({ requester, task_id }: ApprovalRequest): string => {
  const task = taskOf({ task_id })
  return `${namesIn(requester)}${task === '' ? '' : ` · ${task}`}`
}

const namesIn = ({ subject, root_principal }: ApprovalRequest['requester']): string =>
  `${nameOf(subject)}${root_principal === subject ? '' : `, for ${nameOf(root_principal)}`}`

const taskOf = ({ task_id }: { readonly task_id?: string | undefined }): string =>
  task_id === undefined ? '' : `task ${oneLine(task_id, 60)}`

interface GroupProps {
  readonly here: Here
  readonly group: readonly ApprovalRequest[]
}

/** Heading of requests of one kind: agent, effect and sum. */
export function GroupHead({ here, group }: GroupProps) {
  const [first] = group
  if (first === undefined) return null
  const effect = effectWords(effectOf(here, first), here.me.service)
  const sum = sumOf(group.map(({ checked_cost }) => checked_cost))
  return markup`
    <li class="kind">
      <h2>${nameInWords(first.capability)}</h2>
      <span>${namesIn(first.requester)}</span>
      <span>${group.length} requests${sum && markup`, <b class="num">${money(sum)}</b> in all`}</span>
      <span class="end small"><${State} is=${effect.is} icon=${effect.icon} word=${effect.short} /> ${effect.shortDetail}</span>
    </li>
  `
}

interface RowProps {
  readonly here: Here
  readonly request: ApprovalRequest
  /** All like it that wait, this one included. */
  readonly group: readonly ApprovalRequest[]
  readonly now: number
  readonly isChosen: boolean
  readonly mayChoose: boolean
  readonly onChoose: () => void
}

const valueOf = ([label, value]: readonly [string, Json]) =>
  markup`<span>${oneLine(label, 40)} <bdi class="said">${oneLine(valueText(value), 40)}</bdi> </span>`

/** A request in the inbox. What cannot be undone is decided on its own page only, so it has no check box. */
export function Row({ here, request, group, now, isChosen, mayChoose, onChoose }: RowProps) {
  const { approval_request_id: id, checked_cost, expires_at } = request
  const effect = effectWords(effectOf(here, request), here.me.service)
  const isAlone = group.length === 1
  const title = isAlone ? headline(request, { cost: false }) : nameInGroup(request, group)
  const values = distinctValues(request, group)
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
        <${isAlone ? 'h2' : 'h3'} class="name"
          ><a href=${requestHref(id)} aria-describedby=${values.length > 0 ? `values-${id}` : undefined}>${title}</a><//
        >
        ${
          values.length > 0 &&
          markup`<p class="values" id=${`values-${id}`}>
            ${values.map(valueOf)}
          </p>`
        }
        ${showsIdsOnly(request) && markup`<p class="small muted">${here.me.service} shows only ids for this request.</p>`}
        <p>${isAlone ? whoAsks(request) : taskOf(request)}${quorumShort(request)}</p>
      </div>
      <div class="undo small">
        ${isAlone && markup`<${State} is=${effect.is} icon=${effect.icon} word=${effect.short} /><p>${effect.shortDetail}</p>`}
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
