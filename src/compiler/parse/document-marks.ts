import { replace, type Report } from '../finding.js'
import type { PlacedSource } from './sources.js'

/** A line that begins a document, or ends one. */
const MARK = /^(?:---|\.\.\.)(?=[ \t\r\n]|$)/gmu
/** A line of a document: no mark, comment or directive. */
const CONTENT = /^(?!(?:---|\.\.\.)(?:\s|$))[ \t]*[^\s#%]/mu

/**
 * The text without marks of documents in its middle. What follows one is the rest of the manifest, or a document of its
 * own, which is left out.
 */
export function withoutMarks({ text, base }: PlacedSource, report: Report): string {
  if (!text.includes('\n---') && !text.includes('\n...')) return text
  const first = text.search(CONTENT)
  const last = lastContent(text)
  for (const { index, 0: mark } of text.matchAll(MARK)) {
    if (index <= first || index >= last) continue
    const rest = text.slice(index + 3)
    const span = { start: base + index, end: base + index + 3 }
    const isOwn = isOfItsOwn(text.slice(0, index), rest)
    if (isOwn)
      report('SVC0107', span, 'A second document starts here; write one manifest, or one fragment, in each file.')
    else
      report('SVC0107', span, `This \`${mark}\` ends the document, and more of it follows; remove the line.`, {
        fix: replace(span, ''),
      })
    return isOwn ? blank(text, index, text.length) : blank(text, index, index + 3)
  }
  return text
}

/** Checks whether a text is a document of its own: it begins at the margin, and the one before has its capabilities. */
const isOfItsOwn = (before: string, rest: string): boolean =>
  /^[^\n]*\S/u.test(rest) ||
  (/^\s*(?:#[^\n]*\n\s*)*(?<=\n|^)[^\s#]/u.test(rest) && /^["']?capabilities["']?\s*:/mu.test(before))

/** Returns the beginning of the last line of any document. */
function lastContent(text: string): number {
  for (let end = text.length; end > 0;) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    if (CONTENT.test(text.slice(start, end))) return start
    end = start - 1
  }
  return 0
}

const blank = (text: string, from: number, to: number): string =>
  text.slice(0, from) + text.slice(from, to).replaceAll(/[^\n\r]/gu, ' ') + text.slice(to)
