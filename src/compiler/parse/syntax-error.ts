import { replace, type Report } from '../finding.js'
import { isBelowIndented, removedLines } from './diff-marks.js'
import { lineSlip, proseAbove, type LineSlip, type Stray } from './line-slips.js'
import type { Broken } from './parse-yaml.js'
import type { PlacedSource } from './sources.js'
import { slipInKey, slipInValue, type Slip } from './slips.js'
import type { Span } from './tree.js'
import { unclosedBefore, type Unclosed } from './unclosed.js'
import { valueBeforeEntries } from './value-before-entries.js'

interface Explanation {
  readonly reason: RegExp
  readonly code: string
  /** A whole sentence: what is wrong and what to write. */
  readonly message: string
  /** The parser leaves open which line is wrong. */
  readonly isOfLayout?: true
}

/** Parser messages -> explanations for the author. */
const EXPLANATIONS: readonly Explanation[] = [
  { reason: /^tab$|tab char|tabs? /u, code: 'SVC0102', message: 'A tab is used for indentation; YAML wants spaces.' },
  { reason: /maxDepth/u, code: 'SVC0120', message: 'The document is nested deeper than 64 levels.' },
  { reason: /null byte|non-printable|control/u, code: 'SVC0104', message: 'A control character stands in the text; remove it or write it as an escape in double quotes.' },
  { reason: /alias node must contain/u, code: 'SVC0123', message: 'A value that begins with `*` is read as an alias; quote it.' },
  { reason: /expected ':'/u, code: 'SVC0101', message: 'A `:` and a space are missing after this key.' },
  { reason: /whitespace character is expected after the key-value/u, code: 'SVC0101', message: 'A space is missing after the `:` of this key.' },
  { reason: /multiline key|implicit key/u, code: 'SVC0101', message: 'This is neither a key with its `:` nor a value; a key stands on one line and ends in `:`.', isOfLayout: true },
  { reason: /within a flow collection/u, code: 'SVC0101', message: 'A `[` or `{` is never closed.' },
  { reason: /comma between flow/u, code: 'SVC0101', message: 'A comma is missing between two items.' },
  { reason: /within a double quoted/u, code: 'SVC0101', message: 'A double quote is never closed.' },
  { reason: /within a single quoted/u, code: 'SVC0101', message: 'A single quote is never closed.' },
  { reason: /bad indentation of a (?:mapping|sequence) entry/u, code: 'SVC0101', message: 'The indentation of this line fits no mapping or list that is open here; align it with its neighbours.', isOfLayout: true },
  { reason: /deficient indentation/u, code: 'SVC0101', message: 'This line must be indented deeper than the key that it belongs to.', isOfLayout: true },
  { reason: /end of the stream or a document separator/u, code: 'SVC0101', message: 'The document has ended here; this line belongs to nothing. Check its indentation.', isOfLayout: true },
  { reason: /unknown escape/u, code: 'SVC0101', message: 'This escape is unknown in double quotes; write `\\\\` for a backslash, or use single quotes.' },
] // prettier-ignore

/**
 * Reports why a text is not YAML. Gives what is no part of the document, if that is known: without it, the rest can be
 * read.
 */
export function reportSyntax(
  source: PlacedSource,
  { reason, position }: Broken,
  report: Report,
): readonly Stray[] | undefined {
  const { text } = source
  const line = LINE_REASONS.test(reason) ? slipOfLine(text, position) : undefined
  if (line !== undefined) return reportLine(source, line, report)
  const prose = /multiline key|implicit key|end of the stream/u.test(reason) ? proseAbove(text, position) : undefined
  if (prose !== undefined) return reportLine(source, prose, report)
  const isOfEntry = reason.startsWith('bad indentation') && wordWithoutColon(source, position) === undefined
  const value = isOfEntry ? valueBeforeEntries(text, position) : undefined
  if (value !== undefined) return reportLine(source, value, report)
  reportReason(source, reason, position, report)
  return undefined
}

/** At the margin, below what is indented, a `-` is the mark of a diff, whatever follows it. */
function slipOfLine(text: string, position: number): LineSlip | undefined {
  const removed = removedLines(text, position)
  return removed !== undefined && isBelowIndented(text, removed.start) ? removed : (lineSlip(text, position) ?? removed)
}

/** Parser messages about a line that was joined with another. */
const LINE_REASONS = /multiline key|implicit key|bad indentation|end of the stream|flow|cannot start/u

export function reportLine({ base }: PlacedSource, slip: LineSlip, report: Report): readonly Stray[] | undefined {
  const { start, end, message, fix, stray, isOfLayout } = slip
  report('SVC0101', { start: base + start, end: base + end }, message, {
    ...(fix === undefined
      ? {}
      : {
          fix: fix.map(({ span, newText }) => ({ span: { start: base + span.start, end: base + span.end }, newText })),
        }),
    ...(isOfLayout === undefined ? {} : { isOfLayout }),
  })
  return isOfLayout ? undefined : stray
}

function reportReason(source: PlacedSource, reason: string, position: number, report: Report): void {
  const word = /(?:mapping|sequence) entry|expected ':'|multiline key|implicit key/u.test(reason)
    ? wordWithoutColon(source, position)
    : undefined
  if (word !== undefined)
    return report('SVC0101', word.span, `A \`:\` is missing after \`${word.text}\`.`, {
      suggestion: `${word.text}:`,
      isGuess: true,
    })
  const tab = reason.startsWith('bad indentation') ? tabAfterDash(source, position) : undefined
  if (tab !== undefined)
    return report('SVC0102', tab, 'A tab follows this `-`; before a key, YAML wants a space there.', {
      fix: replace(tab, ' '),
    })
  const opener = /indentation|within a|end of the stream/u.test(reason)
    ? unclosedBefore(source.text, position)
    : undefined
  if (opener !== undefined) return reportUnclosed(source, opener, position, report)
  const quote = reason.includes('comma between') ? quoteAbove(source, position) : undefined
  if (quote !== undefined) return report('SVC0101', quote, 'This quote is never closed.')
  const slip = slipAt(source.text, reason, position)
  if (slip !== undefined) return reportSlip(source, slip, report)
  const found = EXPLANATIONS.find((each) =>
    each.reason.test(isBehindTab(source.text, reason, position) ? 'tab' : reason),
  )
  const span = spanAt(source, position)
  if (found === undefined) return report('SVC0101', span, `This is not YAML: ${reason}.`)
  if (found.code !== 'SVC0102')
    return report(found.code, span, found.message, found.isOfLayout === true ? { isOfLayout: true } : {})
  const tabs = indentationAt(source, position)
  report('SVC0102', tabs, found.message, { fix: replace(tabs, '  '.repeat(tabs.end - tabs.start)) })
}

function slipAt(text: string, reason: string, position: number): Slip | undefined {
  if (reason.startsWith('bad indentation')) return slipInValue(text, position) ?? slipInKey(text, position)
  return /multiline key|implicit key|end of the stream/u.test(reason) ? slipInKey(text, position) : undefined
}

function reportSlip({ base }: PlacedSource, { start, end, message, suggestion }: Slip, report: Report): void {
  const details = suggestion === undefined ? {} : ({ suggestion, isGuess: true } as const)
  report('SVC0101', { start: base + start, end: base + end }, message, details)
}

/** A text that begins with a tab is a document of one value to the parser, which then meets a colon. */
function isBehindTab(text: string, reason: string, position: number): boolean {
  const line = position < 1 ? 0 : text.lastIndexOf('\n', position - 1) + 1
  return reason.startsWith('end of the stream or') && /^ *\t/u.test(text.slice(line, position))
}

/** The tab between a dash and a key, on the line of an error. */
function tabAfterDash({ text, base }: PlacedSource, position: number): Span | undefined {
  const line = position < 1 ? 0 : text.lastIndexOf('\n', position - 1) + 1
  const match = /^(\s*(?:- +)*-)([ \t]*\t[ \t]*)\S/u.exec(text.slice(line, position + 1))
  if (match === null) return undefined
  const start = base + line + match[1]!.length
  return { start, end: start + match[2]!.length }
}

/** A double quote that stands alone on the line above: the next line's first quote closed it. */
function quoteAbove({ text, base }: PlacedSource, position: number): Span | undefined {
  const line = position < 1 ? 0 : text.lastIndexOf('\n', position - 1) + 1
  const above = line < 2 ? '' : text.slice(text.lastIndexOf('\n', line - 2) + 1, line - 1)
  const quotes = [...above.matchAll(/(?<!\\)"/gu)]
  const at = base + line - 1 - above.length + (quotes.at(-1)?.index ?? 0)
  return quotes.length % 2 === 0 ? undefined : { start: at, end: at + 1 }
}

/** Characters behind a bracket within which its line is searched for a comment. */
const LONGEST_LINE = 400

/** The fault is where the bracket or quote opens; the parser notices it later. */
function reportUnclosed(source: PlacedSource, { at, mark }: Unclosed, position: number, report: Report): void {
  const start = source.base + at
  const noticed = spanAt(source, position)
  const comment = /^[^\n]*?: (#\/[\w/-]+)/u.exec(source.text.slice(at, at + LONGEST_LINE))?.[1]
  const remedy =
    comment === undefined ? '' : ` A \`#\` after a space begins a comment: write \`'${comment}'\`, in quotes.`
  report('SVC0101', { start, end: start + 1 }, `This \`${mark}\` is never closed.${remedy}`, {
    related: [{ span: noticed, message: 'The next field, or the end, is here.' }],
  })
}

/** A key that lacks its colon, on the line of an error or on the one before it. */
function wordWithoutColon(
  { text, base }: PlacedSource,
  position: number,
): { readonly span: Span; readonly text: string } | undefined {
  const line = position < 1 ? 0 : text.lastIndexOf('\n', position - 1) + 1
  const before = line < 2 ? 0 : text.lastIndexOf('\n', line - 2) + 1
  for (const start of line === 0 ? [line] : [before, line]) {
    const end = text.indexOf('\n', start)
    const written = text.slice(start, end === -1 ? text.length : end)
    const match = /^(\s*(?:- +)?)([a-z_]+)[ \t]+[^\s:#]/u.exec(written)
    if (match === null || /:(?:\s|$)/u.test(written)) continue
    const at = base + start + match[1]!.length
    return { span: { start: at, end: at + match[2]!.length }, text: match[2]! }
  }
  return undefined
}

/** The word at the offset, on its line: an error wants something to underline. */
function spanAt({ text, base }: PlacedSource, position: number): Span {
  const at = Math.min(position, text.length)
  const word = /^[^\s:,[\]{}]+/u.exec(text.slice(at, at + 80))
  return { start: base + at, end: base + at + (word?.[0].length ?? 0) }
}

function indentationAt({ text, base }: PlacedSource, position: number): Span {
  let start = Math.min(position, text.length - 1)
  while (start > 0 && text[start] !== '\t' && text[start] !== '\n') start--
  let end = start
  while (text[end] === '\t') end++
  while (text[start - 1] === '\t') start--
  return { start: base + start, end: base + end }
}
