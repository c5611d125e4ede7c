import type { Severity } from './diagnostics.js'

/** From the first UTF-16 unit to just after the last. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Error at offsets, before its code is looked up and the offsets become lines. */
export interface Finding {
  readonly code: string
  readonly span: Span
  readonly message: string
  readonly related?: readonly RelatedSpan[]
  readonly suggestion?: string
  readonly fix?: readonly SpanEdit[]
  /** The suggestion is most likely what was meant in the place of the span: an edit, which a person looks at first. */
  readonly isGuess?: true
  /** Of a text that is not YAML: the parser leaves open which line is wrong, so another layout may explain more. */
  readonly isOfLayout?: true
  /** Reported even where the field that it is about is a guess. */
  readonly isCertain?: true
  /** By names; where absent, that of the place in the document. */
  readonly path?: string
  /** Severity; the rule's if absent. */
  readonly severity?: Severity
}

export interface RelatedSpan {
  readonly span: Span
  readonly message: string
}

export interface SpanEdit {
  readonly span: Span
  readonly newText: string
}

export type FindingDetails = Pick<Finding, 'related' | 'suggestion' | 'fix' | 'isGuess' | 'isOfLayout' | 'isCertain'>

/** Takes a finding; never stops the one who reports. */
export type Report = (code: string, span: Span, message: string, details?: FindingDetails) => void

/** The edit that replaces one span. */
export const replace = (span: Span, newText: string): readonly SpanEdit[] => [{ span, newText }]

/** Takes findings into a list. */
export const reportTo =
  (findings: Finding[]): Report =>
  (code, span, message, details) =>
    void findings.push({ code, span, message, ...details })
