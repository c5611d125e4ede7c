/** Fields for values that have nothing inside. */
import { useState } from 'preact/hooks'
import type { Json } from '../../../../../protocol/manifest.js'
import { markup } from '../../../markup.js'
import { oneLine } from '../../../words/safe-text.js'
import { valueText } from '../../../words/values.js'
import type { FieldProps } from './props.js'
import { numberFrom } from './kind.js'

const typedIn = ({ target }: Event): string => (target as HTMLInputElement).value

const hintOf = ({ id, schema, hint }: FieldProps): string | undefined =>
  schema.description === undefined && !hint ? undefined : `${id}-hint`

/** Returns the placeholder of an empty field: the default, or an example of the format. */
const placeholderOf = ({ schema }: FieldProps, otherwise = ''): string => {
  const fallback = schema['default'] as Json | undefined
  return fallback === undefined ? otherwise : `${oneLine(valueText(fallback), 60)} unless given`
}

/** Format -> what a text of it looks like. */
const LOOKS: { readonly [format: string]: string } = {
  'date-time': '2030-05-01T14:30:00Z',
  duration: 'PT2H',
  email: 'ana@example.com',
  uri: 'https://example.com/',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
}

type TextProps = FieldProps & { readonly format: string | undefined; readonly isLong: boolean }

export function TextField({ format, isLong, ...props }: TextProps) {
  const { id, value, onChange } = props
  const given = {
    id,
    value: typeof value === 'string' ? value : '',
    placeholder: placeholderOf(props, LOOKS[format ?? '']),
    'aria-describedby': hintOf(props),
    autocomplete: 'off',
    onInput: (event: Event) => onChange(typedIn(event) === '' ? undefined : typedIn(event)),
  }
  if (isLong) return markup`<textarea rows="3" ...${given}></textarea>`
  return markup`<input type=${format === 'date' ? 'date' : 'text'} ...${given} />`
}

/** Keeps the typed text; its value is a number as soon as the text is one. */
export function NumberField({ isWhole, ...props }: FieldProps & { readonly isWhole: boolean }) {
  const [typed, setTyped] = useState(props.value === undefined ? '' : String(props.value))
  const isWrong = typed.trim() !== '' && typeof numberFrom(typed) !== 'number'
  return markup`
    <input
      type="text"
      inputmode=${isWhole ? 'numeric' : 'decimal'}
      autocomplete="off"
      id=${props.id}
      value=${typed}
      placeholder=${placeholderOf(props)}
      aria-invalid=${isWrong}
      aria-describedby=${hintOf(props)}
      onInput=${(event: Event) => {
        setTyped(typedIn(event))
        props.onChange(numberFrom(typedIn(event)))
      }}
    />
  `
}

type ChoiceProps = FieldProps & { readonly values: readonly Json[] }

/** One of a closed list; by its place, because values need not be texts. */
export function ChoiceField({ values, ...props }: ChoiceProps) {
  const { id, value, onChange } = props
  const at = values.findIndex((each) => each === value)
  return markup`
    <select
      id=${id}
      value=${at === -1 ? '' : String(at)}
      aria-describedby=${hintOf(props)}
      onChange=${(event: Event) => onChange(typedIn(event) === '' ? undefined : values[Number(typedIn(event))])}
    >
      <option value="">${placeholderOf(props, 'Choose')}</option>
      ${values.map((each, index) => markup`<option value=${String(index)}>${oneLine(valueText(each), 100)}</option>`)}
    </select>
  `
}

export const TruthField = (props: FieldProps) => markup`
  <select
    id=${props.id}
    value=${typeof props.value === 'boolean' ? String(props.value) : ''}
    aria-describedby=${hintOf(props)}
    onChange=${(event: Event) => props.onChange(typedIn(event) === '' ? undefined : typedIn(event) === 'true')}
  >
    <option value="">${placeholderOf(props, 'Choose')}</option>
    <option value="true">yes</option>
    <option value="false">no</option>
  </select>
`

/** A value of which nothing is declared: as JSON. What is not yet JSON is no value. */
export function JsonField(props: FieldProps) {
  const [typed, setTyped] = useState(props.value === undefined ? '' : JSON.stringify(props.value))
  const [isWrong, setWrong] = useState(false)
  const put = (text: string): void => {
    setTyped(text)
    const value = text.trim() === '' ? undefined : jsonIn(text)
    setWrong(text.trim() !== '' && value === undefined)
    props.onChange(value)
  }
  return markup`
    <textarea
      rows="3"
      id=${props.id}
      value=${typed}
      placeholder=${placeholderOf(props, 'JSON, such as {"city": "Faro"}')}
      spellcheck=${false}
      aria-invalid=${isWrong}
      aria-describedby=${hintOf(props)}
      onInput=${(event: Event) => put(typedIn(event))}
    ></textarea>
    ${isWrong && markup`<p class="error-text" role="status">Not valid JSON. This field will not be sent.</p>`}
  `
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
