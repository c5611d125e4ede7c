import type { ChangeRule } from './change-rule.js'
import type { TextFormat } from './formats.js'

/** Description of a field for authors: in the JSON Schema, in hover, in completion. */
export interface About {
  /** A sentence; it ends in the section of the interface document. */
  readonly about?: string
  readonly examples?: readonly unknown[]
}

/** The sentence without its section: `[2.6]` means nothing to who has not got that document. */
export const sentenceOf = ({ about = '' }: About): string => about.replaceAll(/ \[[^\]]+\]/gu, '')

/** Codes of rules that are more exact than the general ones. */
export interface Codes {
  readonly missing?: string
  readonly type?: string
  readonly word?: string
  readonly format?: string
  readonly blank?: string
  readonly range?: string
  readonly few?: string
  readonly twice?: string
  readonly unknown?: string
}

interface Common extends About {
  readonly required?: boolean
  readonly codes?: Codes
  /** True if the field is published as written and the service does not enforce it. */
  readonly unenforced?: true
  /** Decision that a person makes about it: `TODO` in its place is an open decision. */
  readonly decision?: string
  /** Judgement of its changes in `svc diff`. */
  readonly change?: ChangeRule
}

/** Description of a value at one place. */
export type Field = Common &
  (
    | {
        readonly kind: 'text'
        readonly format?: TextFormat
        readonly maxLength?: number
        readonly mayBeBlank?: true
        readonly mayBeNull?: true
      }
    | { readonly kind: 'word'; readonly words: readonly string[] }
    | { readonly kind: 'flag' }
    | { readonly kind: 'number'; readonly integer?: boolean; readonly atLeast?: number; readonly above?: number }
    | { readonly kind: 'list'; readonly items: Field; readonly min?: number; readonly distinct?: boolean }
    | { readonly kind: 'object'; readonly shape: Shape }
    | {
        readonly kind: 'map'
        readonly keys?: TextFormat
        readonly keyWords?: readonly string[]
        readonly values: Field
        readonly min?: number
      }
    | { readonly kind: 'any'; readonly mayBeNull?: true }
    | { readonly kind: 'oneOf'; readonly scalar?: Field; readonly list?: Field; readonly map?: Field }
  )

export interface Fields {
  readonly [name: string]: Field
}

/** The fields of one object: the only place of their names, order, types and texts. */
export interface Shape extends About {
  /** Name of the object in messages. */
  readonly title: string
  readonly fields: Fields
  /** True if `x-…` keys are errors in it; a manifest allows them everywhere. */
  readonly strict?: true
  /** True if other keys are hints without a shape. */
  readonly open?: boolean
  readonly codes?: Pick<Codes, 'unknown' | 'type'>
  /** Field that a scalar in the object's place most likely means. */
  readonly scalarMeans?: string
  /** The object that an amount of money in its place most likely means; undefined where the text is no amount. */
  readonly amountMeans?: (text: string) => string | undefined
}

/** A field of a manifest: without a judgement of its changes, it does not compile. Write `judged({ … }, field)`. */
export type JudgedField = Field & { readonly change: ChangeRule }

/** An object of a manifest. */
export interface ManifestShape extends Shape {
  readonly fields: { readonly [name: string]: JudgedField }
}

/** A field, with how `svc diff` judges a change of it. */
export const judged = <F extends Field>(change: ChangeRule, field: F): F & { readonly change: ChangeRule } => ({
  ...field,
  change,
})

/** A field of any kind, made mandatory. */
export const required = <F extends Field>(field: F, missing?: string): F =>
  missing === undefined
    ? { ...field, required: true }
    : { ...field, required: true, codes: { ...field.codes, missing } }

/** A field of the public protocol that is published and not enforced. */
export const unenforced = <F extends Field>(field: F): F => ({ ...field, unenforced: true })

/** A field whose value a person decides, as an import does not. */
export const decided = <F extends Field>(decision: string, field: F): F => ({ ...field, decision })
