import { useEffect, useState } from 'preact/hooks'
import type { ApprovalRequest } from '../../../../protocol/approval.js'
import { get, type Trouble } from '../../ask.js'
import type { Here } from '../../here.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { icon } from '../../parts/icon.js'
import { Notice, State } from '../../parts/notice.js'
import { headline } from '../../words/headline.js'
import { whoIs } from '../../words/people.js'
import { oneLine } from '../../words/safe-text.js'
import { both, local, span } from '../../words/time.js'
import { Switch } from './inbox.js'
import { requestHref, whoAsks } from './row.js'
import { stateOf } from './states.js'

type List = { readonly approval_requests: readonly ApprovalRequest[]; readonly next_cursor?: string }

const decidedAt = ({ decided_at, expires_at }: ApprovalRequest): number => Date.parse(decided_at ?? expires_at)

/** Sorts by the decision; one that expired was decided then. */
const byDecision = (one: ApprovalRequest, other: ApprovalRequest): number => decidedAt(other) - decidedAt(one)

/** Shows decided requests, the latest decision first. */
export function Decided({ person }: Here) {
  const now = useNow()
  const [rows, setRows] = useState<readonly ApprovalRequest[] | undefined>()
  const [cursor, setCursor] = useState<string | undefined>()
  const [trouble, setTrouble] = useState<Trouble | undefined>()
  const read = async (after?: string): Promise<void> => {
    const list = await get<List>(
      `/approvals?limit=50${after === undefined ? '' : `&cursor=${encodeURIComponent(after)}`}`,
    )
    if (!list.ok) return setTrouble(list.trouble)
    const decided = list.value.approval_requests.filter(({ status }) => status !== 'pending')
    setRows((before) => [...((after === undefined ? undefined : before) ?? []), ...decided].toSorted(byDecision))
    setCursor(list.value.next_cursor)
  }
  useEffect(() => void read(), [])
  return markup`
    <div class="page-head">
      <div>
        <h1>Decided</h1>
        <p>Decided requests that you may see, the latest decision first.</p>
      </div>
      <${Switch} is="decided" />
    </div>
    ${trouble && markup`<${Notice} is="failed" icon="failed" title="The list could not be read"><p>${trouble.detail}</p><//>`}
    ${
      rows?.length === 0 &&
      markup`<div class="empty">
        ${icon('inbox')}
        <h2>No decisions yet</h2>
        <p>Decisions appear here, with the approver and the reason.</p>
      </div>`
    }
    ${
      rows !== undefined &&
      rows.length > 0 &&
      markup` <div class="panel flush">
        <table class="table hist">
          <thead>
            <tr>
              <th>Decision</th>
              <th>What</th>
              <th>By</th>
              <th class="r">When</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map((request) => decidedRow(request, person.principal, now))}
          </tbody>
        </table>
      </div>`
    }
    ${cursor !== undefined && markup`<div class="pager"><span></span><button class="btn sm" onClick=${() => read(cursor)}>Show earlier ones</button></div>`}
  `
}

function decidedRow(request: ApprovalRequest, me: string, now: number) {
  const { approval_request_id: id, approver, reason, created_at } = request
  const at = decidedAt(request)
  const { is, icon: name, word } = stateOf(request)
  const took = span(at - Date.parse(created_at))
  return markup`
    <tr key=${id}>
      <td><${State} is=${is} icon=${name} word=${word} /></td>
      <td>
        <a href=${requestHref(id)}>${headline(request)}</a
        ><small>${whoAsks(request)}</small>${reason !== null && markup`<small>“<bdi>${oneLine(reason)}</bdi>”</small>`}
      </td>
      <td>
        ${request.status === 'withdrawn' ? 'the requester' : whoIs(approver, me)}<small
          >${approver === null ? `ended after ${took}` : `after ${took}`}</small
        >
      </td>
      <td class="r"><time datetime=${new Date(at).toISOString()} title=${both(at, now)}>${local(at, now)}</time></td>
    </tr>
  `
}
