import { useEffect, useState } from 'preact/hooks'
import type { AnsweredEntry } from '../../../../protocol/audit.js'
import { get, type Trouble } from '../../ask.js'
import type { Here } from '../../here.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { icon } from '../../parts/icon.js'
import { Notice } from '../../parts/notice.js'
import { Said } from '../../parts/said.js'
import { ROOT } from '../../place.js'
import { actorOf, forWhom } from '../../words/entry.js'
import { money } from '../../words/money.js'
import { causeOf, outcomeOf } from '../../words/outcome.js'
import { oneLine } from '../../words/safe-text.js'
import { exact, exactUtc } from '../../words/time.js'
import { valueText } from '../../words/values.js'
import { ChecksPanel } from './checks.js'
import { OutcomePanel } from './outcome-panel.js'
import { ProofPanel } from './proof-panel.js'
import { RelatedPanel } from './related.js'

type TrailPage = { readonly entries: readonly AnsweredEntry[] }

/** One call: which check said no and the way out; or: done, at what cost. And whether the trail says so. */
export function InvocationPage({ me, segments: [id = ''] }: Here) {
  const [entry, setEntry] = useState<AnsweredEntry | 'none' | undefined>()
  const [trouble, setTrouble] = useState<Trouble | undefined>()
  useEffect(() => {
    const read = async (): Promise<void> => {
      const page = await get<TrailPage>(`/trail?invocation_id=${id}&limit=10`)
      if (!page.ok) return setTrouble(page.trouble)
      setEntry(page.value.entries.find(({ entry_type }) => entry_type === 'invocation') ?? 'none')
    }
    void read()
  }, [id])
  if (trouble !== undefined)
    return markup`<${Notice} is="failed" icon="failed" title="The trail could not be read"><p>${trouble.detail}</p><//>`
  if (entry === undefined) return null
  if (entry === 'none') return markup`<${NoEntry} id=${id} />`
  return markup`
    <${Head} entry=${entry} />
    <div class="split">
      <div class="stack">
        <${ChecksPanel} entry=${entry} />
        <${RelatedPanel} entry=${entry} />
      </div>
      <aside class="stack" aria-label="Outcome and proof">
        <${OutcomePanel} entry=${entry} />
        <${Values} entry=${entry} />
        <${ProofPanel} entry=${entry} service=${me.service} />
      </aside>
    </div>
  `
}

const NoEntry = ({ id }: { readonly id: string }) => markup`
  <div class="crumbs"><a href=${`${ROOT}/activity`}>‹ Activity</a></div>
  <div class="empty">
    <h1>Call not found, or you may not see it</h1>
    <p><code>${id}</code> is of somebody else, its content was erased, or it never was.</p>
    <p><a href=${`${ROOT}/activity`}>All activity</a></p>
  </div>
`

function Head({ entry }: { readonly entry: AnsweredEntry }) {
  const now = useNow()
  const { is, icon: name, word } = outcomeOf(entry)
  const at = Date.parse(entry.timestamp)
  const whom = forWhom(entry)
  return markup`
    <div class="crumbs"><a href=${`${ROOT}/activity`}>‹ Activity</a><code>${entry.invocation_id}</code></div>
    <div class="page-head">
      <div>
        <h1>${headline(entry)}</h1>
        <p class="row">
          <span class="state chip" data-is=${is}>${icon(name)}${word}</span>
          <span>
            ${actorOf(entry)}${whom && `, ${whom}`} · <time datetime=${entry.timestamp}>${exact(at, now)} (${exactUtc(at)})</time>${entry.task_id !== null && markup` · task <bdi class="said">${oneLine(entry.task_id, 60)}</bdi>`}
          </span>
        </p>
      </div>
    </div>
  `
}

/** Describes what happened, in one sentence. */
function headline(entry: AnsweredEntry): string {
  const name = oneLine(entry.capability ?? 'The call', 80)
  const { is, word } = outcomeOf(entry)
  if (entry.success)
    return entry.cost_actual === null ? `${name} is done` : `${name} is done: ${money(entry.cost_actual)}`
  if (is === 'waiting') return `${name} needed an approval`
  if (word === 'Outcome unknown') return `Outcome of ${name} is unknown`
  return `${name} ${is === 'refused' ? 'was refused' : 'failed'}: ${causeOf(entry.failure_type)}`
}

/** The inputs that the manifest lets into the trail. */
function Values({ entry: { parameters } }: { readonly entry: AnsweredEntry }) {
  const values = Object.entries(parameters)
  if (values.length === 0)
    return markup`<section class="panel"><h2>Values</h2><p class="muted">The audit trail keeps no inputs of this call.</p></section>`
  return markup`
    <section class="panel">
      <h2>Values</h2>
      <dl class="facts">
        ${values.map(
          ([name, value]) =>
            markup`<dt>${oneLine(name, 60)}</dt>
              <dd><${Said} text=${valueText(value)} /></dd>`,
        )}
      </dl>
    </section>
  `
}
