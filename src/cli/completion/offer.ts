/** Completion of a word. */
export interface Offer {
  readonly word: string
  readonly about: string
}
