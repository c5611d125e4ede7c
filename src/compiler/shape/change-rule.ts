/** A kind of change of `svc diff` by its code; with the effect that it has here, where that is not its usual one. */
export type KindOfChange = string | readonly [code: string, effect: 'breaking' | 'compatible']

/** Kinds of a value that comes, goes, or is another; of one that is left out, nothing is reported. */
interface Presence {
  readonly added?: KindOfChange
  readonly removed?: KindOfChange
  readonly changed?: KindOfChange
}

/** Comparisons that a kind of value alone does not explain; `diff/judges.ts` has them. */
export type JudgeName =
  | 'allowedValues'
  | 'amountInput'
  | 'anchoring'
  | 'approvalRequired'
  | 'bindings'
  | 'callerClasses'
  | 'composition'
  | 'cost'
  | 'default'
  | 'description'
  | 'exclusion'
  | 'failureDetail'
  | 'inputSchema'
  | 'inputType'
  | 'inputs'
  | 'meanings'
  | 'onFailure'
  | 'onMissing'
  | 'outputFields'
  | 'outputSchema'
  | 'outputType'
  | 'principals'
  | 'protocolVersion'
  | 'refreshVia'
  | 'resolution'
  | 'resolutionMode'
  | 'sideEffect'
  | 'verifyVia'

/** The column of the table of fields that `svc diff` is made of: which kinds of change a field has. */
export type ChangeRule =
  /** The reason why no change of the field is reported. */
  | { readonly ignored: string }
  /** Every change is of one kind. */
  | { readonly any: string }
  | Presence
  /** A number; the value that an absent one stands for. */
  | { readonly higher: KindOfChange; readonly lower: KindOfChange; readonly absent: number }
  /** An ISO 8601 duration; the length in ms that an absent one stands for. */
  | { readonly longer: KindOfChange; readonly shorter: KindOfChange; readonly absent: number }
  | { readonly on: KindOfChange; readonly off: KindOfChange; readonly absent: boolean }
  /** A list whose order means nothing. */
  | { readonly gained: string; readonly lost: string; readonly emptied?: string }
  /** A word; the words from the lowest to the highest. */
  | { readonly raised: KindOfChange; readonly lowered: KindOfChange; readonly ranks: readonly string[] }
  /** An object: kinds of one that comes or goes; otherwise its fields are compared. */
  | { readonly fields: Pick<Presence, 'added' | 'removed'> }
  /** A list of objects, known by one of their members. */
  | { readonly items: string; readonly added: string; readonly removed: string }
  | { readonly judge: JudgeName; readonly kinds: readonly string[] }
  /** The field around it, whose comparison covers this one. */
  | { readonly with: string; readonly kinds: readonly string[] }

/** The length of a duration that is not limited, in ms. */
export const ENDLESS = Number.POSITIVE_INFINITY
