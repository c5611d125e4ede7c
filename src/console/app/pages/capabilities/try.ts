import { useState } from 'preact/hooks'
import type { JsonObject } from '../../../../protocol/manifest.js'
import type { Budget } from '../../../../protocol/token.js'
import type { ValueSchema } from '../../../../protocol/value-schema.js'
import { markup } from '../../markup.js'
import { AnswerPanel, type Answered } from './answer.js'
import { BudgetField, budgetFor } from './budget-field.js'
import { callIt } from './call.js'
import { CallButton } from './call-button.js'
import { capabilityHref } from './href.js'
import { Field } from './form/field.js'
import { blankOf, membersOf, withMember, type Definitions } from './form/kind.js'
import { PermissionPreview } from './permission.js'
import type { Shown } from './read.js'
import { BASE } from '../../place.js'
import { SamplePanel } from './sample-panel.js'

interface TryProps {
  readonly shown: Shown
  readonly serviceId: string
  /** Its name. */
  readonly service: string
}

/** A form from the schema, whether one may, the same call elsewhere, and what came back. */
export function TryPanels({ shown, serviceId, service }: TryProps) {
  const { name, tool, capability } = shown
  const schema = tool.input_schema as ValueSchema & { readonly $defs?: Definitions }
  const definitions = schema.$defs ?? {}
  const order = capability.inputs.map((input) => input.name)
  const members = [...membersOf(schema)].sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
  const [parameters, setParameters] = useState<JsonObject>(() => (blankOf(schema, definitions) ?? {}) as JsonObject)
  const [budget, setBudget] = useState<Budget | undefined>(() => budgetFor(capability))
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [isCalling, setCalling] = useState(false)
  const [answered, setAnswered] = useState<Answered | undefined>()
  const streams = !capability.response_modes.includes('unary')
  const call = async (): Promise<void> => {
    setCalling(true)
    const answer = await callIt({ capability: name, parameters, budget, key })
    setCalling(false)
    setAnswered(answer)
    // Nobody knows what became of a call that nobody answered: pressing again is the same call.
    if (answer.is === 'done' || answer.trouble.type !== 'no_answer') setKey(crypto.randomUUID())
  }
  const sourceOf = (input: string): string | undefined =>
    capability.requires_binding?.find(({ field }) => field === input)?.source_capability
  return markup`
    <section class="panel" aria-labelledby="try">
      <h2 id="try">Try it</h2>
      <form class="form" onSubmit=${(event: Event) => event.preventDefault()}>
        <p class="full small muted">Called with a token of yours: ${tool.minimum_scope.join(', ')}, for this capability, 15 min.</p>
        ${budget !== undefined && markup`<${BudgetField} budget=${budget} onChange=${setBudget} />`}
        ${members.map(
          (member) =>
            markup`<${Field}
              key=${member.name}
              id=${`try.${member.name}`}
              label=${member.name}
              schema=${member.schema}
              definitions=${definitions}
              isRequired=${member.isRequired}
              value=${Object.hasOwn(parameters, member.name) ? parameters[member.name] : undefined}
              onChange=${(value: JsonObject[string] | undefined) => setParameters((all) => withMember(all, members, member.name, value))}
              depth=${0}
              hint=${sourceLink(sourceOf(member.name))}
            />`,
        )}
        <div class="full"><${PermissionPreview} capability=${name} budget=${budget} approval=${tool.approval} /></div>
        ${
          streams
            ? markup`<p class="full small muted">This capability streams its response, which this page cannot show. Call it as below.</p>`
            : markup`<${CallButton} shown=${shown} service=${service} isCalling=${isCalling} onCall=${call} />`
        }
      </form>
    </section>
    <${SamplePanel}
      call=${{ url: location.origin + BASE, serviceId, capability: name, parameters, asks: tool.approval !== 'never', streams }}
    />
    ${!streams && markup`<${AnswerPanel} answered=${answered} />`}
  `
}

const sourceLink = (source: string | undefined) =>
  source !== undefined && markup`<a href=${capabilityHref(source)}>Get one<span class="vh"> from ${source}</span></a>`
