import type { ComponentType } from 'preact'
import { useRef } from 'preact/hooks'
import type { Json } from '../../../../../protocol/manifest.js'
import type { ValueSchema } from '../../../../../protocol/value-schema.js'
import { markup } from '../../../markup.js'
import { oneLine } from '../../../words/safe-text.js'
import type { FieldProps } from './props.js'
import { blankOf } from './kind.js'

type ListProps = FieldProps & { readonly item: ValueSchema; readonly Inner: ComponentType<FieldProps> }

const MOST_ITEMS = 100

/** Items, one below the other, each of which can be taken away. */
export function ListField({ item, Inner, ...props }: ListProps) {
  const { id, label, isRequired, value, onChange, definitions, depth } = props
  // Fields keep what is typed: each item needs a name of its own, which stays when another one goes.
  const names = useRef<readonly number[]>([])
  const items = Array.isArray(value) ? (value as readonly Json[]) : []
  while (names.current.length < items.length) names.current = [...names.current, Math.max(0, ...names.current) + 1]
  const without = (at: number): void => {
    names.current = names.current.filter((_, index) => index !== at)
    const left = items.filter((_, index) => index !== at)
    onChange(left.length === 0 && !isRequired ? undefined : left)
  }
  const one = oneLine(label, 40)
  return markup`
    <fieldset class="full nested">
      <legend>${oneLine(label, 80)}${!isRequired && markup`${' '}<span class="muted">(optional)</span>`}</legend>
      ${props.schema.description !== undefined && markup`<p class="small muted"><bdi>${oneLine(props.schema.description, 300)}</bdi></p>`}
      ${items.map(
        (each, index) =>
          markup`<div class="item" key=${names.current[index]}>
            <${Inner}
              id=${`${id}.${index}`}
              label=${`${label} ${index + 1}`}
              schema=${item}
              definitions=${definitions}
              isRequired=${true}
              value=${each === '' ? undefined : each}
              onChange=${(changed: Json | undefined) => onChange(items.map((old, at) => (at === index ? (changed ?? '') : old)))}
              depth=${depth + 1}
            />
            <button class="btn sm" data-kind="quiet" type="button" onClick=${() => without(index)}>Remove<span class="vh"> ${one} ${index + 1}</span></button>
          </div>`,
      )}
      ${items.length < MOST_ITEMS && markup`<button class="btn sm" type="button" onClick=${() => onChange([...items, blankOf(item, definitions) ?? ''])}>Add to ${one}</button>`}
    </fieldset>
  `
}
