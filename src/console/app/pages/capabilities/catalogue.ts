import { useState } from 'preact/hooks'
import type { SideEffect } from '../../../../protocol/manifest.js'
import type { Here } from '../../here.js'
import { markup } from '../../markup.js'
import { icon } from '../../parts/icon.js'
import { State } from '../../parts/notice.js'
import { capabilityHref } from './href.js'
import { effectWords } from '../../words/effect.js'
import { oneLine } from '../../words/safe-text.js'
import { costWords } from './cost.js'
import { useCatalogue, type Shown } from './read.js'
import { WholeGraph } from './whole-graph.js'

/** Catalogue of the service's capabilities. */
export function CataloguePage({ me }: Here) {
  const catalogue = useCatalogue()
  const [words, setWords] = useState('')
  if (catalogue === 'reading') return markup`<h1 class="vh">Reading the capabilities</h1>`
  if (catalogue === 'away')
    return markup`<h1>The service does not answer</h1><p class="muted">Its manifest could not be read. Load the page again in a moment.</p>`
  const { all } = catalogue
  const found = all.filter((each) => isFound(each, words))
  return markup`
    <div class="page-head">
      <div>
        <h1>${all.length} ${all.length === 1 ? 'capability' : 'capabilities'}</h1>
        <p>Capabilities that agents may be allowed to call.</p>
      </div>
      <div class="field">
        <label class="vh" for="find">Find a capability</label>
        <input
          id="find"
          type="search"
          placeholder="Find a capability"
          value=${words}
          onInput=${({ target }: Event) => setWords((target as HTMLInputElement).value)}
        />
      </div>
    </div>
    <p class="vh" role="status">${words === '' ? '' : `${found.length} found`}</p>
    ${found.length === 0 && markup`<div class="empty">${icon('capabilities')}<h2>No matches</h2><p>Try another word of the name or description.</p></div>`}
    <ul class="cards">
      ${found.map((each) => markup`<${Card} key=${each.name} shown=${each} service=${me.service} />`)}
    </ul>
    ${words === '' && markup`<${WholeGraph} all=${all} />`}
  `
}

const isFound = ({ name, capability }: Shown, words: string): boolean =>
  words
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => `${name} ${capability.description}`.toLowerCase().includes(word))

function Card({ shown: { name, tool, capability }, service }: { readonly shown: Shown; readonly service: string }) {
  const effect = effectWords(capability.side_effect as SideEffect, service)
  const steps = capability.composition?.steps.length ?? 0
  return markup`
    <li class="card">
      <h2><a href=${capabilityHref(name)}>${name}</a></h2>
      <p class="small"><bdi>${oneLine(capability.description, 300)}</bdi></p>
      <div class="meta">
        <${State} is=${effect.is} icon=${effect.icon} word=${effect.short} />
        <span class="muted">${capability.cost?.financial === undefined ? 'free' : costWords(capability)}</span>
        ${steps > 0 && markup`<span class="muted">${steps} ${steps === 1 ? 'step' : 'steps'}</span>`}
        ${tool.approval !== 'never' && markup`<span class="muted">${tool.approval === 'always' ? 'person approves' : 'person may have to approve'}</span>`}
      </div>
    </li>
  `
}
