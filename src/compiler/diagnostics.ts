/** Severities of the compiler's findings, each with a stable code, a place, a reason and a remedy. */

export const SEVERITIES = ['error', 'warning', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Line and column count from 1; columns count UTF-16 units. `offset` counts UTF-16 units from 0. */
export interface Position {
  readonly line: number
  readonly column: number
  readonly offset: number
}

/** From the first character to just after the last. */
export interface Range {
  readonly start: Position
  readonly end: Position
}

export interface Place {
  /** The file's name as given to `check`. */
  readonly file: string
  readonly range: Range
}

export interface RelatedPlace extends Place {
  readonly message: string
}

/** A replacement of text that removes the finding and changes nothing else. */
export interface TextEdit extends Place {
  readonly newText: string
}

export interface Diagnostic extends Place {
  /** `SVC` and four digits. */
  readonly code: string
  readonly slug: string
  readonly severity: Severity
  readonly message: string
  /**
   * Place in the document, by names, so that it survives moved and reformatted text:
   * `capabilities/lookup/inputs/region`.
   */
  readonly path: string
  readonly related: readonly RelatedPlace[]
  /** Correct text, as one sentence or one value. */
  readonly suggestion?: string
  readonly fix?: readonly TextEdit[]
  /** The fix writes what was most likely meant: a person looks at it first. */
  readonly isGuess?: true
  /** Page of the rule. */
  readonly docs: string
}

/** A file as text; the compiler reads none itself. */
export interface Source {
  readonly file: string
  readonly text: string
}
