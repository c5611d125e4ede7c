import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import type { ValueSchema } from '../../../../../protocol/value-schema.js'
import { markup } from '../../../markup.js'
import { oneLine } from '../../../words/safe-text.js'
import type { FieldProps } from './props.js'
import { blankOf, resolved, variantName } from './kind.js'

type VariantsProps = FieldProps & {
  readonly variants: readonly ValueSchema[]
  readonly Inner: ComponentType<FieldProps>
}

/** One of several kinds of value: first which, then its fields. */
export function VariantsField({ variants, Inner, ...props }: VariantsProps) {
  const [chosen, setChosen] = useState(-1)
  const { id, label, isRequired, definitions, onChange } = props
  const all = variants.map((variant) => resolved(variant, definitions))
  const choose = ({ target }: Event): void => {
    const { value } = target as HTMLSelectElement
    const at = value === '' ? -1 : Number(value)
    setChosen(at)
    onChange(at === -1 ? undefined : blankOf(all[at]!, definitions))
  }
  const variant = all[chosen]
  return markup`
    <fieldset class="full nested">
      <legend>${oneLine(label, 80)}${!isRequired && markup`${' '}<span class="muted">(optional)</span>`}</legend>
      <div class="field">
        <label for=${`${id}-kind`}>Kind of ${oneLine(label, 60)}</label>
        <select id=${`${id}-kind`} value=${chosen === -1 ? '' : String(chosen)} onChange=${choose}>
          <option value="">Choose</option>
          ${all.map((each, index) => markup`<option value=${String(index)}>${oneLine(variantName(each, index), 80)}</option>`)}
        </select>
      </div>
      ${variant !== undefined && markup`<${Inner} key=${chosen} ...${props} schema=${variant} isRequired=${true} depth=${props.depth + 1} />`}
    </fieldset>
  `
}
