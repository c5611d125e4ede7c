/** What a field does at run time, for the reference, for hover and for `svc explain`. */
export interface FieldText {
  readonly atRunTime: string
  /** What holds where the author writes nothing. */
  readonly default?: string
  /** What happens in a case with names and numbers, where the rule alone is misread. */
  readonly worked?: string
  /** Each word that the field takes -> what the caller sees, or what the service does. */
  readonly words?: { readonly [word: string]: string }
}

/** Block -> field -> what it does. */
export interface BlockTexts {
  readonly [block: string]: { readonly [field: string]: FieldText | string }
}
