import { markup } from '../../markup.js'
import { aroundLayout } from './around-layout.js'
import { capabilityHref } from './href.js'
import { Graph } from './graph.js'
import type { Shown } from './read.js'
import { RELATIONS, relationsOf } from './relations.js'

const MOST_DRAWN = 24

/** Shows the capabilities related to one: as a picture, and as links. */
export function AroundPanel({ all, name }: { readonly all: readonly Shown[]; readonly name: string }) {
  const relations = relationsOf(all, name)
  if (relations.length === 0)
    return markup`<section class="panel"><h2>Related capabilities</h2><p class="muted">No prerequisites or dependents.</p></section>`
  const says = relations.map(({ kind, name: other }) => RELATIONS[kind].says(name, other)).join('; ')
  return markup`
    <section class="panel" aria-labelledby="around">
      <h2 id="around">Related capabilities</h2>
      ${relations.length <= MOST_DRAWN && markup`<${Graph} drawing=${aroundLayout(name, relations)} here=${name} says=${says} />`}
      <ul class="around small">
        ${relations.map(({ kind, name: other }) => markup`<li><a href=${capabilityHref(other)}>${other}</a> <span class="muted">${RELATIONS[kind].word}</span></li>`)}
      </ul>
    </section>
  `
}
