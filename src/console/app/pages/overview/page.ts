import { useEffect, useState } from 'preact/hooks'
import { alarmWords } from '../../../../protocol/alarms.js'
import { get, type Trouble } from '../../ask.js'
import type { Here } from '../../here.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { icon } from '../../parts/icon.js'
import { Notice } from '../../parts/notice.js'
import { ROOT } from '../../place.js'
import { useQuery } from '../../router.js'
import { headline } from '../../words/headline.js'
import { amount } from '../../words/money.js'
import { causeOf } from '../../words/outcome.js'
import { oneLine } from '../../words/safe-text.js'
import { both, span } from '../../words/time.js'
import { requestHref } from '../approvals/row.js'
import { barsOf, median, reasonsOf, totalOf, type Overview } from './figures.js'
import { useHealth } from './health.js'
import { Plot } from './plot.js'

const HOURS = { '1': '1 h', '24': '24 h', '168': '7 days' } as const

/** Does anything need me? */
export function OverviewPage(here: Here) {
  const now = useNow()
  const asked = useQuery().get('hours') ?? '24'
  const hours = Object.hasOwn(HOURS, asked) ? asked : '24'
  const [of, setOf] = useState<Overview | undefined>()
  const [trouble, setTrouble] = useState<Trouble | undefined>()
  const { health, signed } = useHealth()
  useEffect(() => {
    let isOver = false
    const read = async (): Promise<void> => {
      const overview = await get<Overview>(`/overview?hours=${hours}`)
      if (isOver) return
      setTrouble(overview.ok ? undefined : overview.trouble)
      if (overview.ok) setOf(overview.value)
    }
    void read()
    return () => {
      isOver = true
    }
  }, [hours])
  const waiting = here.pending.requests.length
  const alarms = health?.alarms ?? []
  return markup`
    <div class="page-head">
      <div>
        <h1>${headOf(waiting, alarms.length)}</h1>
        <p>
          ${here.me.service}, ${here.person.roles.includes('auditor') ? 'all calls' : 'calls in your name'},
          ${of && ` since ${both(of.since, now)}`}${of?.is_whole === false && ', counted from the newest 10,000 entries'}
        </p>
      </div>
      <div class="seg" role="group" aria-label="Time">
        ${Object.entries(HOURS).map(([name, word]) => markup`<a href=${`${ROOT}/overview${name === '24' ? '' : `?hours=${name}`}`} aria-current=${name === hours ? 'true' : undefined}>${word}</a>`)}
      </div>
    </div>
    ${trouble && markup`<${Notice} is="failed" icon="failed" title="The trail could not be counted"><p>${trouble.detail}</p><//>`}
    ${of && markup`<${Tiles} of=${of} waiting=${waiting} signedAt=${signed && Date.parse(signed.created_at)} now=${now} />`}
    <div class="split">
      <div class="stack">${of && markup`<${Calls} of=${of} /><${Reasons} of=${of} />`}</div>
      <aside class="stack" aria-label="What needs a look">
        <section class="panel">
          <h2>Alarms</h2>
          ${alarms.map((alarm) => markup`<${AlarmNotice} alarm=${alarm} />`)}
          ${health !== undefined && alarms.length === 0 && markup`<p class="foot">${icon('done')}<span>No alarms</span></p>`}
          ${health === undefined && markup`<p class="muted">The service health could not be loaded.</p>`}
        </section>
        <${Next} here=${here} now=${now} />
      </aside>
    </div>
  `
}

/** Shows what an alarm means, and how it ends. */
function AlarmNotice({ alarm }: { readonly alarm: string }) {
  const { means, ends, command } = alarmWords(alarm)
  return markup`<${Notice} is="failed" icon="failed" title=${`Alarm: ${oneLine(alarm.replaceAll('_', ' '), 80)}`}>
    <p>${oneLine(means, 200)}</p>
    <p>${ends}${command !== undefined && markup` <code>${command}</code>`}</p>
  <//>`
}

function headOf(waiting: number, alarms: number): string {
  const parts = [
    waiting > 0 ? `${waiting} ${waiting === 1 ? 'request waits' : 'requests wait'}` : '',
    alarms > 0 ? `${alarms} ${alarms === 1 ? 'alarm is' : 'alarms are'} raised` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'Nothing needs you' : parts.join(', ')
}

interface TilesProps {
  readonly of: Overview
  readonly waiting: number
  readonly signedAt: number | undefined
  readonly now: number
}

function Tiles({ of, waiting, signedAt, now }: TilesProps) {
  const [first, ...others] = of.spent
  const half = median(of.decided_in_ms)
  return markup`
    <div class="tiles">
      ${tile('Waiting', waiting, 'for your decision')}
      ${tile('Time to decide', half === undefined ? '–' : span(half), half === undefined ? 'no decisions' : `median of ${of.decided_in_ms.length}`)}
      ${tile('Spent', first === undefined ? '0' : markup`${amount(first)} <small>${first.currency}</small>`, others.map((each) => `and ${amount(each)} ${each.currency}`).join(', '))}
      ${tile('Trail', signedAt === undefined ? '–' : span(now - signedAt), signedAt === undefined ? 'not signed yet' : 'since the last signature')}
    </div>
  `
}

const tile = (title: string, figure: unknown, about: string) => markup`
  <section class="tile">
    <h2>${title}</h2>
    <p class="fig">${figure}</p>
    <p>${about}</p>
  </section>
`

function Calls({ of }: { readonly of: Overview }) {
  const bars = barsOf(of)
  const [calls, refused, failed] = [totalOf(bars, 'calls'), totalOf(bars, 'refused'), totalOf(bars, 'failed')]
  return markup`
    <section class="panel">
      <h2>${calls} ${calls === 1 ? 'call' : 'calls'}, ${refused} refused, ${failed} failed</h2>
      ${calls > 0 && markup`<${Plot} of=${of} bars=${bars} />`}
      <p class="foot"><a href=${`${ROOT}/activity?outcome=refused`}>View refused calls</a><a href=${`${ROOT}/activity?outcome=failed`}>View failed calls</a></p>
    </section>
  `
}

function Reasons({ of }: { readonly of: Overview }) {
  const reasons = reasonsOf(of).slice(0, 8)
  if (reasons.length === 0) return null
  const all = reasons.reduce((sum, [, count]) => sum + count, 0)
  return markup`
    <section class="panel">
      <h2>Refused calls by reason</h2>
      <table class="table plain">
        <thead class="vh">
          <tr>
            <th>Reason</th>
            <th>Share</th>
            <th>Calls</th>
          </tr>
        </thead>
        <tbody>
          ${reasons.map(([type, count]) => {
            const share = Math.round((count / all) * 100)
            return markup`<tr>
              <td>${causeOf(type)}</td>
              <td class="wd">
                <svg class="bar thin" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=${`${share} %`}>
                  <rect class="spent" width=${share} height="10" />
                </svg>
              </td>
              <td class="r num">${count}</td>
            </tr>`
          })}
        </tbody>
      </table>
    </section>
  `
}

const MOST_NEXT = 3

function Next({ here: { pending }, now }: { readonly here: Here; readonly now: number }) {
  if (pending.requests.length === 0) return null
  return markup`
    <section class="panel">
      <h2>Next requests</h2>
      <ul class="mini">
        ${pending.requests.slice(0, MOST_NEXT).map(
          (request) =>
            markup`<li>
              <a href=${requestHref(request.approval_request_id)}>${headline(request)}</a>
              <p class="small muted">${span(Date.parse(request.expires_at) - now)} left</p>
            </li>`,
        )}
      </ul>
    </section>
  `
}
