import { markup } from '../../markup.js'
import { TextFilter } from '../../parts/text-filter.js'
import { putQuery } from '../../router.js'
import { OUTCOMES, queryOf, WHEN, type Filters } from './filters.js'

interface FormProps {
  readonly filters: Filters
  readonly isAuditor: boolean
  readonly capabilities: readonly string[]
}

/** Filters; each is in the address, so that a link shows the same. */
export function FilterForm({ filters, isAuditor, capabilities }: FormProps) {
  const put = (change: Partial<Filters>): void => putQuery(queryOf({ ...filters, ...change }))
  return markup`
    <form class="filters" aria-label="Filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <div class="keep">
        <span class="label" id="outcome">Outcome</span>
        <div class="seg" role="group" aria-labelledby="outcome">
          ${Object.entries(OUTCOMES).map(
            ([name, word]) =>
              markup`<button type="button" aria-pressed=${filters.outcome === name} onClick=${() => put({ outcome: name as Filters['outcome'] })}>
                ${word}
              </button>`,
          )}
        </div>
      </div>
      <div class="field">
        <label for="when">When</label>
        <select id="when" value=${filters.when} onChange=${({ target }: Event) => put({ when: (target as HTMLSelectElement).value as Filters['when'] })}>
          ${Object.entries(WHEN).map(([name, { word }]) => markup`<option value=${name}>${word}</option>`)}
        </select>
      </div>
      <${TextFilter} id="capability" label="Capability" value=${filters.capability} list=${capabilities} onPut=${(capability: string) => put({ capability })} />
      ${isAuditor && markup`<${TextFilter} id="actor" label="Who" hint="agent:desk" value=${filters.actor} onPut=${(actor: string) => put({ actor })} />`}
      <${TextFilter} id="id" label="Task, call or request" hint="Paste an id" value=${filters.id} onPut=${(id: string) => put({ id })} />
    </form>
  `
}
