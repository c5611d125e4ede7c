import type { ApprovalRequest } from '../../../../protocol/approval.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { Notice } from '../../parts/notice.js'
import { Said } from '../../parts/said.js'
import { ROOT } from '../../place.js'
import { changesOf, differencesOf, type Change } from '../../words/request-values.js'
import { oneLine } from '../../words/safe-text.js'
import { local } from '../../words/time.js'
import { valueText } from '../../words/values.js'
import { stateOf } from './states.js'
import type { Json } from '../../../../protocol/manifest.js'

const MOST_CHANGES = 60

/** Both previews of a call that was approved and would now do something else (`approval.preview: must_hold`). */
export function ChangedPanel({ request }: { readonly request: ApprovalRequest }) {
  const { approved_before: before } = request
  if (before === undefined) return null
  return markup`
    <section class="panel flush" aria-labelledby="changed">
      <div class="pad">
        <h2 id="changed">Changed since it was approved</h2>
        <${Notice} is="waiting" icon="waiting" title="This call was approved, and did not run"
          ><p>
            The service would now do something else than${' '}
            <a href=${`${ROOT}/approvals/${before.approval_request_id}`}>what was approved</a>.
          </p><//
        >
      </div>
      <${Changes} of=${changesOf(request)} names=${['Approved', 'Now']} />
    </section>
  `
}

/** Values in which the request differs from the last one of its kind that this person decided. */
export function LastPanel({ request }: { readonly request: ApprovalRequest }) {
  const now = useNow()
  const last = request.context?.last_decided
  if (last === undefined) return null
  const changes = differencesOf(request, last)
  const { word } = stateOf(last)
  const at = last.decided_at
  return markup`
    <section class="panel flush" aria-labelledby="last">
      <div class="pad">
        <h2 id="last">${lastHead(changes.length)}</h2>
        <p class="small muted">
          <a href=${`${ROOT}/approvals/${last.approval_request_id}`}>${word} by you</a>
          ${at !== null && markup`${' '}at <time datetime=${at}>${local(Date.parse(at), now)}</time>`}.
        </p>
      </div>
      ${changes.length > 0 && markup`<${Changes} of=${changes} names=${['Last', 'This']} />`}
    </section>
  `
}

const lastHead = (count: number): string =>
  count === 0
    ? 'The same as the last request'
    : `${count === 1 ? '1 difference' : `${count} differences`} from the last request`

interface ChangesProps {
  readonly of: readonly Change[]
  readonly names: readonly [was: string, is: string]
}

const Changes = ({ of, names }: ChangesProps) => markup`
  <table class="table changes">
    <thead>
      <tr>
        <th>Value</th>
        ${names.map((name) => markup`<th>${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${of.slice(0, MOST_CHANGES).map(
        ([label, was, is]) =>
          markup`<tr>
            <td>${oneLine(label, 60)}</td>
            <td data-label=${names[0]}>${value(was)}</td>
            <td data-label=${names[1]}>${value(is)}</td>
          </tr>`,
      )}
    </tbody>
  </table>
  ${of.length > MOST_CHANGES && markup`<p class="small muted pad">And ${of.length - MOST_CHANGES} more values, which are not shown.</p>`}
`

const value = (shown: Json | undefined) =>
  shown === undefined ? markup`<span class="muted">not shown</span>` : markup`<${Said} text=${valueText(shown)} />`
