import { useEffect, useState } from 'preact/hooks'
import type { AnsweredEntry } from '../../../../protocol/audit.js'
import { FAILURES } from '../../../../protocol/failures.js'
import type { SideEffect } from '../../../../protocol/manifest.js'
import type { SideEffectType } from '../../../../protocol/words.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { readManifest } from '../../proof/read.js'
import { ROOT } from '../../place.js'
import { checkOf } from '../../words/checks.js'
import { undoWords } from '../../words/effect.js'
import { money } from '../../words/money.js'
import { isDeclared } from '../../../entry-outcome.js'
import { oneLine } from '../../words/safe-text.js'

/** Shows the outcome of a call: intent, cost, response. */
export function OutcomePanel({ entry }: { readonly entry: AnsweredEntry }) {
  const now = useNow()
  const [declared, setDeclared] = useState<SideEffect | undefined>()
  const effect = declared?.type
  const undo = declared && entry.success ? undoWords(declared, Date.parse(entry.timestamp), now) : undefined
  const { capability, failure_type, cost_actual, approval_request_id, token_id } = entry
  useEffect(() => {
    const read = async (): Promise<void> => {
      const all = (await readManifest())?.capabilities ?? {}
      if (capability !== null && Object.hasOwn(all, capability)) setDeclared(all[capability]?.side_effect)
    }
    void read()
  }, [capability])
  return markup`
    <section class="panel">
      <h2>${headOf(entry, effect)}</h2>
      <dl class="facts">
        <dt>Intent</dt>
        <dd>${intentOf(entry, effect)}</dd>
        ${
          undo !== undefined &&
          markup`<dt>Undo</dt>
            <dd>${undo}</dd>`
        }
        <dt>Cost</dt>
        <dd>${cost_actual === null ? 'none' : money(cost_actual)}${entry.cost_exceeded === true && ', more than was checked'}${
          entry.cost_held !== undefined && `; ${money(entry.cost_held)} stay reserved until somebody says what happened`
        }</dd>
        ${
          failure_type !== null &&
          markup`<dt>Answer</dt>
            <dd><code>${oneLine(failure_type, 80)}</code>${isDeclared(failure_type) && `, ${FAILURES[failure_type].status}`}</dd>
            <dt>May retry</dt>
            <dd>${isDeclared(failure_type) && FAILURES[failure_type].retry ? 'yes, the same call' : 'not this call as it is'}</dd>`
        }
        ${
          approval_request_id !== null &&
          markup`<dt>Approval</dt>
            <dd><a href=${`${ROOT}/approvals/${encodeURIComponent(approval_request_id)}`}>its request</a></dd>`
        }
        ${
          token_id !== null &&
          markup`<dt>Token</dt>
            <dd><code>${oneLine(token_id, 80)}</code></dd>`
        }
      </dl>
    </section>
  `
}

const isStopped = ({ success, failure_type }: AnsweredEntry): boolean => !success && checkOf(failure_type) !== undefined

function headOf(entry: AnsweredEntry, effect: SideEffectType | undefined): string {
  if (isStopped(entry)) return 'Nothing happened'
  if (entry.failure_type === 'outcome_unknown') return 'It may have happened or not'
  if (entry.success) return effect === 'read' ? 'It was read' : 'It was done'
  return effect === 'read' ? 'Nothing was changed' : 'Started, then failed'
}

/** Before a handler that changes something runs, its intent is durable (decisions, section 7). */
function intentOf(entry: AnsweredEntry, effect: SideEffectType | undefined): string {
  if (isStopped(entry)) return 'none: the handler did not start'
  if (effect === undefined) return 'unknown: the manifest no longer has this capability'
  if (effect === 'read') return 'none is needed: it reads only'
  return entry.failure_type === 'outcome_unknown'
    ? 'recorded; no outcome followed'
    : 'recorded before it ran; this is its outcome'
}
