import { markup } from '../../markup.js'
import { Graph } from './graph.js'
import type { Shown } from './read.js'
import { edgesOf, MOST_BOXES, wholeLayout } from './whole-layout.js'

/** Shows the prerequisites of all capabilities of the service. */
export function WholeGraph({ all }: { readonly all: readonly Shown[] }) {
  const edges = edgesOf(all)
  if (edges.length === 0) return null
  const drawing = wholeLayout(edges)
  const says = edges
    .map(({ from, to, isStep }) => (isStep ? `${from} is a step of ${to}` : `${to} needs ${from} first`))
    .join('; ')
  return markup`
    <section class="panel gap" aria-labelledby="whole">
      <h2 id="whole">Prerequisites</h2>
      ${
        drawing.boxes.length > MOST_BOXES
          ? markup`<p class="muted">${drawing.boxes.length} capabilities depend on each other, too many for one picture. The page of each shows what stands around it.</p>`
          : markup`
              <div class="scroll" tabindex="0" role="group" aria-label="Graph of prerequisites and compositions">
                <${Graph} drawing=${drawing} says=${says} isWide=${true} />
              </div>
              <p class="small muted">Solid line: prerequisite. Dashed line: step of a composition.</p>
            `
      }
    </section>
  `
}
