import { useState } from 'preact/hooks'
import { markup } from '../markup.js'

interface TextProps {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly list?: readonly string[]
  readonly onPut: (value: string) => void
}

/** Takes effect when it is left, and with Enter. */
export function TextFilter({ id, label, hint = 'Any', value, list, onPut }: TextProps) {
  const [typed, setTyped] = useState<string | undefined>()
  const put = (): void => {
    if (typed !== undefined && typed.trim() !== value) onPut(typed.trim())
    setTyped(undefined)
  }
  return markup`
    <div class="field">
      <label for=${`filter-${id}`}>${label}</label>
      <input
        id=${`filter-${id}`}
        type="search"
        autocomplete="off"
        maxlength="256"
        placeholder=${hint}
        list=${list && `filter-${id}-list`}
        value=${typed ?? value}
        onInput=${({ target }: Event) => setTyped((target as HTMLInputElement).value)}
        onBlur=${put}
        onKeyDown=${(event: KeyboardEvent) => event.key === 'Enter' && put()}
        onSearch=${put}
      />
      ${list && markup`<datalist id=${`filter-${id}-list`}>${list.map((each) => markup`<option value=${each}></option>`)}</datalist>`}
    </div>
  `
}
