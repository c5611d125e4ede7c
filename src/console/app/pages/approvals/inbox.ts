import { useState } from 'preact/hooks'
import type { Here } from '../../here.js'
import { useKeys } from '../../hooks/use-keys.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { icon } from '../../parts/icon.js'
import { KeyHelp } from '../../parts/key-help.js'
import { ROOT } from '../../place.js'
import { groupsOf, isLike } from '../../words/request-values.js'
import { span } from '../../words/time.js'
import { Batch } from './batch.js'
import { GroupHead, Row } from './row.js'

/** Shows the requests waiting for this person, with the earliest expiry first. */
export function Inbox(here: Here) {
  const now = useNow()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [help, setHelp] = useState(false)
  const waiting = here.pending.requests.filter(({ expires_at }) => Date.parse(expires_at) > now)
  const picked = waiting.filter(({ approval_request_id: id }) => chosen.includes(id))
  const toggle = (id: string): void =>
    setChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])
  useKeys({
    j: () => moveFocus(1),
    k: () => moveFocus(-1),
    x: () => focusedRow()?.querySelector<HTMLInputElement>('input:not(:disabled)')?.click(),
    a: () => act('approve'),
    r: () => act('deny'),
    '?': () => setHelp(true),
  })
  return markup`
    <div class="page-head">
      <div>
        <h1>${titleOf(waiting.length)}</h1>
        ${waiting[0] && markup`<p>The first ends in ${span(Date.parse(waiting[0].expires_at) - now)}. A request expires if nobody decides.</p>`}
      </div>
      <${Switch} is="waiting" />
    </div>
    <p class="vh" role="status">${titleOf(waiting.length)}</p>
    ${
      waiting.length === 0
        ? markup`<${Nothing} />`
        : markup` <ul class="inbox" aria-label="Waiting, those that end first on top">
            ${groupsOf(waiting).map((group) => [
              group.length > 1 && markup`<${GroupHead} here=${here} group=${group} />`,
              ...group.map(
                (request) =>
                  markup` <${Row}
                    key=${request.approval_request_id}
                    here=${here}
                    request=${request}
                    group=${group}
                    now=${now}
                    isChosen=${chosen.includes(request.approval_request_id)}
                    mayChoose=${picked[0] === undefined || isLike(picked[0], request)}
                    onChoose=${() => toggle(request.approval_request_id)}
                  />`,
              ),
            ])}
          </ul>`
    }
    ${picked.length > 0 && markup`<${Batch} here=${here} requests=${picked} onDone=${() => setChosen([])} />`}
    <div class="keys">
      <span><kbd>J</kbd> <kbd>K</kbd> move</span><span><kbd>Enter</kbd> open</span><span><kbd>X</kbd> select</span>
      <span><kbd>A</kbd> approve</span><span><kbd>R</kbd> deny</span><span><kbd>?</kbd> all keys</span>
    </div>
    ${help && markup`<${KeyHelp} onClose=${() => setHelp(false)} />`}
  `
}

const titleOf = (count: number): string =>
  count === 0 ? 'No requests waiting' : count === 1 ? '1 request waiting' : `${count} requests waiting`

const links = (): readonly HTMLAnchorElement[] => [...document.querySelectorAll<HTMLAnchorElement>('.ask .name a')]

const focusedRow = (): Element | null => document.activeElement?.closest('.ask') ?? null

function moveFocus(by: 1 | -1): void {
  const all = links()
  const at = all.findIndex((each) => each.closest('.ask') === focusedRow())
  all[at === -1 ? (by === 1 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)]?.focus()
}

/** On what is selected, else on the page of the request that has the focus. */
function act(what: 'approve' | 'deny'): void {
  const batch = document.querySelector<HTMLButtonElement>(`.batch [data-kind=${what}]`)
  if (batch !== null) batch.click()
  else (focusedRow()?.querySelector<HTMLAnchorElement>('.name a') ?? links()[0])?.click()
}

export const Switch = ({ is }: { readonly is: 'waiting' | 'decided' }) => markup`
  <div class="seg" role="group" aria-label="Show">
    <a href=${`${ROOT}/approvals`} aria-current=${is === 'waiting' ? 'true' : undefined}>Waiting</a>
    <a href=${`${ROOT}/approvals/decided`} aria-current=${is === 'decided' ? 'true' : undefined}>Decided</a>
  </div>
`

const Nothing = () => markup`
  <div class="empty">
    ${icon('inbox')}
    <p>New requests that you may decide appear here at once.</p>
    <div class="acts"><a class="btn sm" href=${`${ROOT}/approvals/decided`}>View decided requests</a></div>
  </div>
`
