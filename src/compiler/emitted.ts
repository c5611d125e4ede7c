/** A file that the compiler made; nothing is written by it. */
export interface EmittedFile {
  /** Relative to the project, with `/`. */
  readonly path: string
  readonly text: string
  /** `generated` files are ours and are replaced; `owned` files are written once, if absent. */
  readonly ownership: 'generated' | 'owned'
}
