import type { AnsweredEntry } from '../../../../protocol/audit.js'
import { FAILURES } from '../../../../protocol/failures.js'
import { markup } from '../../markup.js'
import { icon } from '../../parts/icon.js'
import { CHECK_GROUPS, checkOf, placeOf, type CheckWords } from '../../words/checks.js'
import { isDeclared } from '../../../entry-outcome.js'
import { wayOut } from '../../../../protocol/way-out.js'
import { oneLine } from '../../words/safe-text.js'

/** The checks in order: those that passed, the one that refused, those that were not reached. */
export function ChecksPanel({ entry }: { readonly entry: AnsweredEntry }) {
  const stop = entry.success ? undefined : checkOf(entry.failure_type)
  const stopAt = stop === undefined ? Number.POSITIVE_INFINITY : placeOf(stop)
  return markup`
    <section class="panel checks" aria-labelledby="checks">
      <h2 id="checks">${headOf(stop, stopAt)}</h2>
      ${CHECK_GROUPS.map(
        ({ title, checks }) =>
          markup`<h3>${title}</h3>
            <ol>${checks.map((check) => (check === stop ? markup`<${Stop} check=${check} entry=${entry} />` : line(check.says, placeOf(check) < stopAt)))}</ol>`,
      )}
      <h3>Run</h3>
      <ol>${entry.success || stop !== undefined ? line('Handler', entry.success) : markup`<${Stop} check=${HANDLER} entry=${entry} />`}</ol>
    </section>
  `
}

const HANDLER: CheckWords = { says: 'Handler', refused: 'The handler did not succeed', types: [] }

function headOf(stop: CheckWords | undefined, passed: number): string {
  if (stop === undefined) return 'All checks passed'
  const count = passed === 0 ? 'No check' : passed === 1 ? '1 check' : `${passed} checks`
  return `${count} passed, then: ${stop.refused.charAt(0).toLowerCase()}${stop.refused.slice(1)}`
}

const line = (says: string, isDone: boolean) => markup`
  <li data-is=${isDone ? 'done' : 'idle'}>
    ${icon(isDone ? 'tick' : 'dash')}<span>${says}</span><span class="small">${isDone ? '' : 'not reached'}</span>
  </li>
`

/** Shows the check that failed, opened, with its cause and the next step. */
function Stop({ check, entry }: { readonly check: CheckWords; readonly entry: AnsweredEntry }) {
  const { failure_type, detail } = entry
  const isWaiting = failure_type === 'approval_required'
  const action = failure_type !== null && isDeclared(failure_type) ? FAILURES[failure_type].action : undefined
  return markup`
    <li class="stop" data-is=${isWaiting ? 'waiting' : check === HANDLER ? 'failed' : 'refused'}>
      <span>${icon(isWaiting ? 'waiting' : check === HANDLER ? 'failed' : 'refused')}</span>
      <div>
        <b class="strong">${check.refused}</b>
        <p><code>${oneLine(failure_type ?? 'unknown', 80)}</code></p>
        ${detail !== undefined && markup`<p><bdi>${oneLine(detail, 500)}</bdi></p>`}
        ${action !== undefined && markup`<p class="small muted">Next step: ${wayOut(action)}</p>`}
      </div>
    </li>
  `
}
