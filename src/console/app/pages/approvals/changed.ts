import type { ApprovalRequest } from '../../../../protocol/approval.js'
import { markup } from '../../markup.js'
import { Notice } from '../../parts/notice.js'
import { Said } from '../../parts/said.js'
import { ROOT } from '../../place.js'
import { changesOf } from '../../words/request-values.js'
import { oneLine } from '../../words/safe-text.js'
import { valueText } from '../../words/values.js'
import type { Json } from '../../../../protocol/manifest.js'

const MOST_CHANGES = 60

/** Both previews of a call that was approved and would now do something else (`approval.preview: must_hold`). */
export function ChangedPanel({ request }: { readonly request: ApprovalRequest }) {
  const { approved_before: before } = request
  if (before === undefined) return null
  const changes = changesOf(request)
  const more = changes.length - MOST_CHANGES
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
      <table class="table">
        <thead>
          <tr>
            <th>Value</th>
            <th>Approved</th>
            <th>Now</th>
          </tr>
        </thead>
        <tbody>
          ${changes.slice(0, MOST_CHANGES).map(
            ([label, was, is]) =>
              markup`<tr>
                <td>${oneLine(label, 60)}</td>
                <td>${value(was)}</td>
                <td>${value(is)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      ${more > 0 && markup`<p class="small muted pad">And ${more} more values, which are not shown.</p>`}
    </section>
  `
}

const value = (shown: Json | undefined) =>
  shown === undefined ? markup`<span class="muted">not shown</span>` : markup`<${Said} text=${valueText(shown)} />`
