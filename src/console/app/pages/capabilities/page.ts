import type { Here } from '../../here.js'
import { markup } from '../../markup.js'
import { ROOT } from '../../place.js'
import { oneLine } from '../../words/safe-text.js'
import { AroundPanel } from './around.js'
import { FactsPanel, FailuresPanel } from './facts.js'
import { useCatalogue } from './read.js'
import { TryPanels } from './try.js'

/** One capability: what it does, what it costs, would it work for me. */
export function CapabilityPage({ me, segments: [name = ''] }: Here) {
  const catalogue = useCatalogue()
  if (catalogue === 'reading') return markup`<h1 class="vh">Reading the capability</h1>`
  const shown = catalogue === 'away' ? undefined : catalogue.all.find((each) => each.name === name)
  const crumbs = markup`<a href=${`${ROOT}/capabilities`}>‹ Capabilities</a>`
  if (catalogue === 'away' || shown === undefined)
    return markup`
      <div class="crumbs">${crumbs}</div>
      <h1>${catalogue === 'away' ? 'The service does not answer' : 'Capability not found'}</h1>
      <p class="muted">${catalogue === 'away' ? 'Its manifest could not be read. Load the page again in a moment.' : 'The manifest of this service does not have it.'}</p>
    `
  return markup`
    <div class="crumbs">${crumbs}<span>Contract ${shown.tool.contract_version}</span></div>
    <div class="page-head">
      <div>
        <h1><code>${name}</code></h1>
        <p><bdi>${oneLine(shown.capability.description, 1000)}</bdi></p>
      </div>
    </div>
    <div class="split half">
      <div class="stack">
        <${FactsPanel} shown=${shown} service=${me.service} />
        <${AroundPanel} all=${catalogue.all} name=${name} />
        <${FailuresPanel} shown=${shown} />
      </div>
      <div class="stack"><${TryPanels} shown=${shown} serviceId=${catalogue.serviceId} service=${me.service} /></div>
    </div>
  `
}
