/** Description of a field's effect at run time, for the reference, hover and `svc explain`. */
export interface FieldText {
  readonly atRunTime: string
  /** Value that applies if the author writes nothing. */
  readonly default?: string
  /** Example with names and numbers, where the rule alone is easily misread. */
  readonly worked?: string
  /** Each word that the field takes -> what the caller sees, or what the service does. */
  readonly words?: { readonly [word: string]: string }
}

/** Block -> field -> what it does. */
export interface BlockTexts {
  readonly [block: string]: { readonly [field: string]: FieldText | string }
}
