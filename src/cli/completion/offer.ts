/** What may stand in the place of a word. */
export interface Offer {
  readonly word: string
  readonly about: string
}
