import type { Json } from '../../../../protocol/manifest.js'
import type { Trouble } from '../../ask.js'
import { markup } from '../../markup.js'
import { Notice, type StateName } from '../../parts/notice.js'
import type { IconName } from '../../parts/icon.js'
import { ROOT } from '../../place.js'
import { signInAgain } from '../../router.js'
import { cut, oneLine, safeText } from '../../words/safe-text.js'

/** Response of a call, or why there is none. */
export type Answered =
  | { readonly is: 'done'; readonly invocationId: string; readonly result: Json; readonly cost: string }
  | { readonly is: 'refused'; readonly trouble: Trouble }

const MOST = 20_000

const shown = (value: Json): string => JSON.stringify(value, undefined, 2).split('\n').map(safeText).join('\n')

/** The answer stands where the call was made, with its cost and a link to the call. */
export function AnswerPanel({ answered }: { readonly answered: Answered | undefined }) {
  if (answered === undefined)
    return markup`<section class="panel"><h2>Answer</h2><p class="muted">Nothing called yet. The result, its cost and a link to the call will appear here.</p></section>`
  return markup`
    <section class="panel" aria-labelledby="answer">
      <h2 id="answer">Answer</h2>
      ${answered.is === 'done' ? markup`<${Done} ...${answered} />` : markup`<${Refused} trouble=${answered.trouble} />`}
    </section>
  `
}

const callLink = (id: string) => markup`<a href=${`${ROOT}/activity/${encodeURIComponent(id)}`}>Open the call</a>`

const Done = ({ invocationId, result, cost }: Extract<Answered, { readonly is: 'done' }>) => markup`
  <${Notice} is="done" icon="done" role="status" title=${cost === '' ? 'Done' : `Done, for ${cost}`} />
  <pre class="code gap" tabindex="0" role="region" aria-label="Result"><bdi>${cut(shown(result), MOST)}</bdi></pre>
  <p class="foot">${callLink(invocationId)}</p>
`

function Refused({ trouble: { type, detail, invocation_id, approval_request_id } }: { readonly trouble: Trouble }) {
  const { is, icon, title } = headOf(type)
  return markup`
    <${Notice} is=${is} icon=${icon} role=${is === 'waiting' ? 'status' : 'alert'} title=${title}>
      <div class="body">
        <p><bdi>${oneLine(detail, 500)}</bdi></p>
        <p><code>${oneLine(type, 80)}</code></p>
      </div>
      ${type === 'authentication_required' && markup`<div class="acts"><button class="btn sm" type="button" onClick=${signInAgain}>Sign in again</button></div>`}
    <//>
    <p class="foot">
      ${invocation_id !== undefined && callLink(invocation_id)}
      ${approval_request_id !== undefined && markup`<a href=${`${ROOT}/approvals/${encodeURIComponent(approval_request_id)}`}>Open the request</a>`}
    </p>
  `
}

function headOf(type: string): { readonly is: StateName; readonly icon: IconName; readonly title: string } {
  if (type === 'approval_required')
    return { is: 'waiting', icon: 'waiting', title: 'A person must approve it. Then call it again.' }
  if (type === 'no_answer') return { is: 'failed', icon: 'failed', title: 'No answer' }
  return { is: 'refused', icon: 'refused', title: 'It was not done' }
}
