import type { Codes, Field, Shape } from './field.js'
import type { TextFormat } from './formats.js'

/** Short spellings of the table's entries, so that a shape reads as one. */
interface More {
  readonly examples?: readonly unknown[]
  readonly codes?: Codes
}

export const text = (
  about: string,
  more: More & {
    readonly format?: TextFormat
    readonly maxLength?: number
    readonly mayBeBlank?: true
    readonly mayBeNull?: true
  } = {},
) => ({ kind: 'text', about, ...more }) as const satisfies Field

export const word = (about: string, words: readonly string[], more: More = {}) =>
  ({ kind: 'word', about, words, ...more }) as const satisfies Field

export const flag = (about: string, more: More = {}) => ({ kind: 'flag', about, ...more }) as const satisfies Field

export const amount = (about: string, more: More = {}) =>
  ({ kind: 'number', about, atLeast: 0, ...more }) as const satisfies Field

export const count = (about: string, more: More & { readonly atLeast?: number } = {}) =>
  ({ kind: 'number', about, integer: true, atLeast: 1, ...more }) as const satisfies Field

export const list = (
  about: string,
  items: Field,
  more: More & { readonly min?: number; readonly distinct?: boolean } = {},
) => ({ kind: 'list', about, items, ...more }) as const satisfies Field

export const object = (about: string, shape: Shape, more: More = {}) =>
  ({ kind: 'object', about, shape, ...more }) as const satisfies Field

export const map = (
  about: string,
  values: Field,
  more: More & { readonly keys?: TextFormat; readonly keyWords?: readonly string[]; readonly min?: number } = {},
) => ({ kind: 'map', about, values, ...more }) as const satisfies Field

export const any = (about: string, more: More & { readonly mayBeNull?: true } = {}) =>
  ({ kind: 'any', about, ...more }) as const satisfies Field

export const oneOf = (
  about: string,
  options: { readonly scalar?: Field; readonly list?: Field; readonly map?: Field },
  more: More = {},
) => ({ kind: 'oneOf', about, ...options, ...more }) as const satisfies Field

export type Hours = Field & { readonly kind: 'number' }
