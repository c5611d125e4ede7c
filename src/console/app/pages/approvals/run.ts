import type { ApprovalRequest } from '../../../../protocol/approval.js'
import { markup } from '../../markup.js'
import { icon } from '../../parts/icon.js'
import { Said } from '../../parts/said.js'
import { oneLine } from '../../words/safe-text.js'
import { factsOf, valueText } from '../../words/values.js'

const MOST_FACTS = 60

/** The preview of the service, else the inputs that the trail keeps. */
export function RunPanel({ request }: { readonly request: ApprovalRequest }) {
  const { preview, preview_digest, context, capability, step, requested_parameters_digest } = request
  const name = step?.capability ?? capability
  const facts = factsOf(preview ?? context?.logged_inputs)
  return markup`
    <section class="panel" aria-labelledby="run">
      <h2 id="run">What will run</h2>
      ${preview === undefined && markup`<p class="muted">${name} gives no preview. These are the values of the call that its contract lets you see.</p>`}
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
        <span>${preview === undefined ? '' : 'Preview by the service. '}Your approval holds for exactly these values: <code>${shortDigest(preview_digest ?? requested_parameters_digest)}</code></span>
      </p>
    </section>
  `
}

const shortDigest = (digest: string): string => `${digest.slice(0, 11)}…${digest.slice(-4)}`
