import type { ApprovalRequest } from '../../../../protocol/approval.js'
import { markup } from '../../markup.js'
import { icon } from '../../parts/icon.js'
import { Said } from '../../parts/said.js'
import { oneLine } from '../../words/safe-text.js'
import { valuesOf } from '../../words/request-values.js'
import { valueText } from '../../words/values.js'

const MOST_FACTS = 60

/** The preview of the service, else what it quoted and the inputs that are not sensitive. */
export function RunPanel({ request }: { readonly request: ApprovalRequest }) {
  const { preview, preview_digest, capability, step, requested_parameters_digest } = request
  const name = step?.capability ?? capability
  const facts = valuesOf(request)
  return markup`
    <section class="panel" aria-labelledby="run">
      <h2 id="run">${headOf(request)}</h2>
      ${preview === undefined && markup`<p class="muted">${name} gives no preview. These are ${request.bound === undefined ? 'the values of the call' : 'what was quoted, and the values of the call'}.</p>`}
      <dl class="facts">
        ${facts.slice(0, MOST_FACTS).map(
          ([label, value]) =>
            markup`<dt>${oneLine(label, 60)}</dt>
              <dd><${Said} text=${valueText(value)} /></dd>`,
        )}
        <dt>Capability</dt>
        <dd><code>${name}</code></dd>
      </dl>
      ${facts.length > MOST_FACTS && markup`<p class="small muted">And ${facts.length - MOST_FACTS} more values, which are not shown.</p>`}
      <p class="foot">
        ${icon('verified')}
        <span>${preview === undefined ? '' : 'Preview by the service. '}${request.status === 'pending' ? 'Your approval holds' : 'The request was'} for exactly these values: <code>${shortDigest(preview_digest ?? requested_parameters_digest)}</code></span>
      </p>
    </section>
  `
}

function headOf({ status, context, invocation_id }: ApprovalRequest): string {
  if (status === 'pending') return 'What will run'
  if (status !== 'approved') return 'What was requested'
  return context?.outcome === undefined && invocation_id === undefined ? 'What may run' : 'What ran'
}

const shortDigest = (digest: string): string => `${digest.slice(0, 11)}…${digest.slice(-4)}`
