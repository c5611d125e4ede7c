import { useEffect, useState } from 'preact/hooks'
import type { ApprovalRequest } from '../../../../protocol/approval.js'
import { get, type Trouble } from '../../ask.js'
import type { Here } from '../../here.js'
import { useKeys } from '../../hooks/use-keys.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { icon } from '../../parts/icon.js'
import { KeyHelp } from '../../parts/key-help.js'
import { Notice } from '../../parts/notice.js'
import { ROOT } from '../../place.js'
import { go } from '../../router.js'
import { effectWords, undoWords, type EffectWords } from '../../words/effect.js'
import { headline } from '../../words/headline.js'
import { nameOf } from '../../words/people.js'
import { oneLine } from '../../words/safe-text.js'
import { local } from '../../words/time.js'
import { ChainPanel } from './chain.js'
import { ChangedPanel, LastPanel } from './changed.js'
import { CostPanel } from './cost.js'
import { Decision } from './decision.js'
import { EarlierPanel } from './earlier.js'
import { Outcome } from './outcome.js'
import { effectOf } from './row.js'
import { RunPanel } from './run.js'

/** One request: what will happen stands first, its evidence below, the decision beside it. */
export function RequestPage(here: Here) {
  const [id = ''] = here.segments
  const { request, trouble, read } = useRequest(id)
  const [help, setHelp] = useState(false)
  const ids = here.pending.requests.map((each) => each.approval_request_id)
  const step = (by: 1 | -1): void => {
    const next = ids[ids.indexOf(id) + by] ?? (ids.includes(id) ? undefined : ids[0])
    if (next !== undefined) go(`/approvals/${next}`)
  }
  useKeys({ j: () => step(1), k: () => step(-1), '?': () => setHelp(true) })
  if (request === undefined)
    return markup`
      <div class="crumbs"><a href=${`${ROOT}/approvals`}>‹ All approvals</a></div>
      ${
        trouble
          ? markup`<h1>
                ${trouble.type === 'no_answer' ? 'The service does not answer' : 'Request not found, or you may not see it'}
              </h1>
              <p class="muted">${trouble.detail}</p>`
          : markup`<h1 class="vh">Reading the request</h1>`
      }
    `
  return markup`
    <${Crumbs} request=${request} ids=${ids} />
    <div class="split">
      <div>
        <${What} here=${here} request=${request} />
        <${ChangedPanel} request=${request} />
        <${LastPanel} request=${request} />
        <${CostPanel} request=${request} />
        <${RunPanel} request=${request} />
        <${ChainPanel} request=${request} />
        <${EarlierPanel} request=${request} me=${here.person.principal} />
      </div>
      <aside aria-label="Decision">
        ${request.status === 'pending' ? markup`<${Decision} here=${here} request=${request} onDecided=${read} />` : markup`<${Outcome} here=${here} request=${request} onNext=${() => step(1)} />`}
      </aside>
    </div>
    ${help && markup`<${KeyHelp} onClose=${() => setHelp(false)} />`}
  `
}

/** Reads a request, and while it is pending again as soon as it is decided. */
function useRequest(id: string) {
  const [request, setRequest] = useState<ApprovalRequest | undefined>()
  const [trouble, setTrouble] = useState<Trouble | undefined>()
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout>
    const follow = async (wait: number): Promise<void> => {
      const seen = await get<ApprovalRequest>(`/approvals/${id}${wait === 0 ? '' : `?wait=${wait}`}`)
      if (isOver) return
      setTrouble(seen.ok ? undefined : seen.trouble)
      if (seen.ok) setRequest(seen.value)
      if (seen.ok && seen.value.status !== 'pending') return
      if (seen.ok || seen.trouble.type === 'no_answer')
        timer = setTimeout(() => void follow(seen.ok ? 10 : 0), seen.ok ? 50 : 2000)
    }
    void follow(0)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [id, round])
  return { request, trouble, read: () => setRound((last) => last + 1) }
}

function Crumbs({ request, ids }: { readonly request: ApprovalRequest; readonly ids: readonly string[] }) {
  const now = useNow()
  const { approval_request_id: id, created_at } = request
  const at = ids.indexOf(id)
  return markup`
    <div class="crumbs">
      <a href=${`${ROOT}/approvals`}>‹ All approvals</a>
      <span class="wide-only">
        ${at !== -1 && markup`${at + 1} of ${ids.length} · <kbd>J</kbd> next · <kbd>K</kbd> previous · `} asked at${' '}<time datetime=${created_at}>${local(Date.parse(created_at), now)}</time> · <code>${id}</code>
      </span>
    </div>
  `
}

const NOTHING_RAN = [
  'denied',
  'returned',
  'expired',
  'withdrawn',
] as const satisfies readonly ApprovalRequest['status'][]

/** Explains the effect before the decision; after it, what is true then. */
function EffectNotice({ request, effect }: { readonly request: ApprovalRequest; readonly effect: EffectWords }) {
  const now = useNow()
  const { status, context } = request
  if (NOTHING_RAN.some((each) => each === status))
    return markup`<div class="notice" data-is="neutral">
      ${icon('done')}<b>Nothing ran</b>
      <p>Nothing was changed, and nothing was spent.</p>
    </div>`
  const { outcome, side_effect } = context ?? {}
  const undo =
    outcome?.success === true && side_effect !== undefined
      ? undoWords(side_effect, Date.parse(outcome.timestamp), now)
      : undefined
  return markup`
    <div class="notice" data-is=${effect.is}>
      ${icon(effect.icon)}<b>${undo ?? effect.title}</b>
      ${undo === undefined && markup`<p>${effect.detail}</p>`}
    </div>
  `
}

function What({ here, request }: { readonly here: Here; readonly request: ApprovalRequest }) {
  const { context, requester, spent_by, step } = request
  const effect = effectWords(context?.side_effect ?? effectOf(here, request), here.me.service)
  return markup`
    <article class="what">
      <p class="who">${nameOf(requester.subject)} ${request.status === 'pending' ? 'asks to' : 'asked to'}</p>
      <h1>${headline(request)}</h1>
      ${context?.description !== undefined && markup`<p class="lead">${oneLine(context.description, 400)}</p>`}
      ${step !== undefined && markup`<p class="small muted">A step of <code>${request.capability}</code>.</p>`}
      <${EffectNotice} request=${request} effect=${effect} />
      ${
        spent_by !== undefined &&
        markup`<${Notice}
          is="waiting"
          icon="waiting"
          title="The very same call was approved and made within the last 24 h"
          ><p>It was invocation <code>${spent_by}</code>. This may be a repeated request for the same effect.</p><//
        >`
      }
    </article>
  `
}
