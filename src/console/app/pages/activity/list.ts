import type { AnsweredEntry } from '../../../../protocol/audit.js'
import type { Here } from '../../here.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { icon } from '../../parts/icon.js'
import { Notice } from '../../parts/notice.js'
import { useQuery } from '../../router.js'
import { FilterForm } from './filter-form.js'
import { exportQuery, filtersIn, NONE, queryOf } from './filters.js'
import { EntryRow } from './row.js'
import { ROOT } from '../../place.js'
import { useTrail } from './use-trail.js'

/** Every call and decision, newest first, as it happens. */
export function Activity({ person }: Here) {
  const now = useNow()
  const filters = filtersIn(useQuery())
  const trail = useTrail(filters)
  const { rows, fresh, link, trouble, older } = trail
  const isAuditor = person.roles.includes('auditor')
  return markup`
    <div class="page-head">
      <div>
        <h1>Activity</h1>
        <p>
          ${isAuditor ? 'Every call and decision' : 'What was done in your name'}, newest first, as it happens. The
          address holds the filters.
        </p>
      </div>
      <div class="row">
        <span class="live" role="status">${link === 'live' ? 'Follows the trail' : link === 'paused' ? 'Paused' : 'Not connected'}</span>
        <button class="btn sm" aria-pressed=${link === 'paused'} onClick=${() => trail.pause(link !== 'paused')}>
          ${link === 'paused' ? 'Go on' : 'Pause'}
        </button>
        <${Exports} query=${exportQuery(filters, now)} />
      </div>
    </div>
    <${FilterForm} filters=${filters} isAuditor=${isAuditor} capabilities=${capabilitiesIn(rows)} />
    ${trouble && markup`<${Notice} is="failed" icon="failed" title="The trail could not be read"><p>${trouble.detail}</p><//>`}
    ${
      rows !== undefined &&
      markup`<div class="panel flush">
        ${fresh.length > 0 && markup`<button class="fresh" onClick=${trail.showFresh}>Show ${fresh.length} new ${fresh.length === 1 ? 'entry' : 'entries'}</button>`}
        ${rows.length === 0 ? markup`<${Nothing} isFiltered=${queryOf({ ...filters, when: NONE.when }).size > 0} />` : markup`<${Table} rows=${rows} now=${now} />`}
      </div>`
    }
    ${
      rows !== undefined &&
      rows.length > 0 &&
      markup`<div class="pager">
        <span>${rows.length} ${rows.length === 1 ? 'entry' : 'entries'} shown</span>
        ${older && markup`<button class="btn sm" onClick=${older}>Show older</button>`}
      </div>`
    }
  `
}

const capabilitiesIn = (rows: readonly AnsweredEntry[] | undefined): readonly string[] =>
  [...new Set(rows?.map(({ capability }) => capability).filter((name) => name !== null))].sort()

/** The files have what the filters find, all of it. */
const Exports = ({ query }: { readonly query: URLSearchParams }) => markup`
  <details class="menu">
    <summary class="btn sm">Export…</summary>
    <ul>
      ${(['ndjson', 'csv'] as const).map(
        (format) =>
          markup`<li>
            <a href=${`${ROOT}/api/trail/export?format=${format}&${query.toString()}`} download>${format === 'csv' ? 'CSV, for a table' : 'NDJSON, entry by entry'}</a>
          </li>`,
      )}
    </ul>
  </details>
`

const Table = ({ rows, now }: { readonly rows: readonly AnsweredEntry[]; readonly now: number }) => markup`
  <table class="table activity" role="table">
    <thead>
      <tr>
        <th>Time</th>
        <th>What</th>
        <th>Who</th>
        <th>Outcome</th>
        <th class="r">Cost</th>
        <th>Task</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map((entry) => markup`<${EntryRow} key=${entry.sequence} entry=${entry} now=${now} />`)}
    </tbody>
  </table>
`

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) => markup`
  <div class="empty">
    ${icon('activity')}
    <h2>${isFiltered ? 'No entry matches the filters' : 'No activity in this period'}</h2>
    <p>${isFiltered ? 'Take one away, or look at a longer time.' : 'The first call will be here as it happens.'}</p>
  </div>
`
