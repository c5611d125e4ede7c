import type { Capability } from '../../../../protocol/manifest.js'
import { businessFailuresOf } from '../../../../protocol/business-failures.js'
import { markup } from '../../markup.js'
import { State } from '../../parts/notice.js'
import { effectWords } from '../../words/effect.js'
import { oneLine } from '../../words/safe-text.js'
import { durationWords, span } from '../../words/time.js'
import { costWords } from './cost.js'
import type { Shown } from './read.js'

const list = (words: readonly string[] | undefined): string => (words ?? []).map((word) => oneLine(word, 80)).join(', ')

const codes = (words: readonly string[]) => words.map((word, index) => markup`${index > 0 && ', '}<code>${word}</code>`)

/** Shows the effect, the cost and the approval of a capability. */
export function FactsPanel({
  shown: { tool, capability },
  service,
}: {
  readonly shown: Shown
  readonly service: string
}) {
  const { side_effect, cost, minimum_scope, business_effects: effects, observability, requires_principal } = capability
  const effect = effectWords(side_effect, service)
  const rows: readonly (readonly [string, unknown])[] = [
    [
      'Effect',
      markup`<${State} is=${effect.is} icon=${effect.icon} word=${effect.short} />${effect.shortDetail !== '' && markup`<br /><span class="small muted">${effect.shortDetail}</span>`}`,
    ],
    [
      'Cost',
      markup`${costWords(capability)}${cost?.determined_by !== undefined && markup`<br /><span class="small muted">Decided by ${oneLine(cost.determined_by, 80)}</span>`}`,
    ],
    ['Approval', approvalFact(tool.approval, capability)],
    ['Token needs', markup`${codes(minimum_scope)}${budgetFact(capability)}`],
    [
      'Called by',
      requires_principal === undefined ? undefined : `${list(requires_principal)} only, with a token of their own`,
    ],
    [
      'Makes',
      effects?.produces === undefined
        ? undefined
        : `${list(effects.produces)}${effects.does_not_produce === undefined ? '' : `, not ${list(effects.does_not_produce)}`}`,
    ],
    ['Answers', capability.response_modes.map((mode) => ANSWERS[mode]).join(' or ')],
    ['Logged', observability?.logged === false ? undefined : loggedFact(capability)],
  ]
  return markup`
    <section class="panel">
      <h2>What it does</h2>
      <dl class="facts">${rows.map(([name, fact]) => fact !== undefined && markup`<dt>${name}</dt><dd>${fact}</dd>`)}</dl>
    </section>
  `
}

const ANSWERS = { unary: 'at once', streaming: 'as a stream' } as const

const NEED = { never: 'None', sometimes: 'Sometimes, by a person', always: 'Always, by a person' } as const

function approvalFact(need: keyof typeof NEED, { approval }: Capability) {
  if (approval === undefined) return need === 'never' ? 'None' : 'Where a step of it needs one'
  const { grant_policy: policy } = approval
  const terms = [
    policy.allowed_grant_types.includes('one_time') ? 'Once' : '',
    policy.allowed_grant_types.includes('session_bound') ? `For a session, ${policy.max_uses} calls` : '',
  ].filter((each) => each !== '')
  return markup`${NEED[need]}<br /><span class="small muted">${terms.join('. ')}, valid for ${span(policy.expires_in_seconds * 1000)}</span>`
}

const budgetFact = ({ cost, control_requirements: required }: Capability): string =>
  required?.some(({ type }) => type === 'cost_ceiling') === true
    ? ` and a budget${cost?.financial === undefined ? '' : ` in ${cost.financial.currency}`}`
    : ''

const UNITS: { readonly [unit: string]: string } = { Y: 'year', M: 'month', W: 'week', D: 'day' }

/** `P2Y` as `2 years`. */
function keptWords(duration: string): string {
  const [, count = '', unit = ''] = /^P(\d+)([YMWD])$/u.exec(duration) ?? []
  return count === '' ? durationWords(duration) : `${count} ${UNITS[unit]}${count === '1' ? '' : 's'}`
}

function loggedFact({ observability }: Capability): string {
  const fields = list(observability?.fields_logged)
  const kept = observability?.retention === undefined ? '' : `kept ${keptWords(observability.retention)}`
  return [fields === '' ? 'the call, none of its values' : fields, kept].filter((each) => each !== '').join(' · ')
}

/** Lists the failures of a capability beside those of every call. */
export function FailuresPanel({ shown: { capability } }: { readonly shown: Shown }) {
  const declared = businessFailuresOf({ ...capability, extensions: capability })
  if (declared.length === 0) return null
  return markup`
    <section class="panel">
      <h2>Can fail with</h2>
      <dl class="facts">
        ${declared.map(
          ({ type, description }) =>
            markup`<dt><code>${type}</code></dt>
              <dd><bdi>${oneLine(description, 300)}</bdi></dd>`,
        )}
      </dl>
    </section>
  `
}
