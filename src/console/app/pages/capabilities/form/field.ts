import type { Json, JsonObject } from '../../../../../protocol/manifest.js'
import type { ValueSchema } from '../../../../../protocol/value-schema.js'
import { markup } from '../../../markup.js'
import { oneLine } from '../../../words/safe-text.js'
import { ChoiceField, JsonField, NumberField, TextField, TruthField } from './plain-fields.js'
import { blankOf, kindOf, MOST_DEPTH, resolved, withMember, type Kind, type Member } from './kind.js'
import type { FieldProps } from './props.js'
import { ListField } from './list-field.js'
import { VariantsField } from './variants-field.js'

/** The field for a value, made from its schema. */
export function Field(props: FieldProps) {
  const schema = resolved(props.schema, props.definitions)
  const kind: Kind = props.depth > MOST_DEPTH ? { is: 'json' } : kindOf(schema)
  const given = { ...props, schema }
  if (kind.is === 'object') return markup`<${ObjectField} ...${given} members=${kind.members} />`
  if (kind.is === 'list') return markup`<${ListField} ...${given} item=${kind.item} Inner=${Field} />`
  if (kind.is === 'variants') return markup`<${VariantsField} ...${given} variants=${kind.variants} Inner=${Field} />`
  if (kind.is === 'null') return markup`<p class="small muted">No value: null.</p>`
  return markup`
    <div class="field">
      <label for=${props.id}>${oneLine(props.label, 80)}${!props.isRequired && markup`${' '}<span class="muted">(optional)</span>`}</label>
      ${plain(kind, given)}
      <${Hint} id=${props.id} schema=${schema} hint=${props.hint} />
    </div>
  `
}

function plain(kind: Exclude<Kind, { readonly is: 'object' | 'list' | 'variants' | 'null' }>, props: FieldProps) {
  if (kind.is === 'choice') return markup`<${ChoiceField} ...${props} values=${kind.values} />`
  if (kind.is === 'truth') return markup`<${TruthField} ...${props} />`
  if (kind.is === 'number') return markup`<${NumberField} ...${props} isWhole=${kind.isWhole} />`
  if (kind.is === 'text') return markup`<${TextField} ...${props} format=${kind.format} isLong=${kind.isLong} />`
  return markup`<${JsonField} ...${props} />`
}

const Hint = ({ id, schema, hint }: { readonly id: string; readonly schema: ValueSchema; readonly hint?: unknown }) =>
  schema.description === undefined && !hint
    ? null
    : markup`<p id=${`${id}-hint`}><bdi>${oneLine(schema.description ?? '', 300)}</bdi>${hint && markup`${' '}${hint}`}</p>`

/** Its members, one below the other; one that may be left out is there once somebody adds it. */
function ObjectField({ members, ...props }: FieldProps & { readonly members: readonly Member[] }) {
  const { id, label, isRequired, value, onChange, definitions, schema, depth } = props
  const isThere = isRequired || value !== undefined
  const object = (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as JsonObject
  return markup`
    <fieldset class="full nested">
      <legend>${oneLine(label, 80)}${!isRequired && markup`${' '}<span class="muted">(optional)</span>`}</legend>
      <${Hint} id=${id} schema=${schema} />
      ${
        isThere &&
        members.map(
          (member) =>
            markup`<${Field}
              key=${member.name}
              id=${`${id}.${member.name}`}
              label=${member.name}
              schema=${member.schema}
              definitions=${definitions}
              isRequired=${member.isRequired}
              value=${Object.hasOwn(object, member.name) ? object[member.name] : undefined}
              onChange=${(inner: Json | undefined) => onChange(withMember(object, members, member.name, inner))}
              depth=${depth + 1}
            />`,
        )
      }
      ${!isRequired && markup`<button class="btn sm" type="button" onClick=${() => onChange(isThere ? undefined : blankOf(schema, definitions))}>${isThere ? 'Leave out' : 'Add'} ${oneLine(label, 40)}</button>`}
    </fieldset>
  `
}
