import { replace, type Finding } from '../finding.js'
import type { Step } from './step.js'

/** Gives each finding that knows what was meant in the place of its span the edit that writes it. */
export const withEdits: Step = (findings, { read: { placed } }) =>
  findings.map((finding) => {
    const { isGuess, suggestion, span, fix, ...rest } = finding
    if (isGuess === undefined || fix !== undefined || suggestion === undefined) return finding
    const newText = written(suggestion, placed.text(span))
    return newText === undefined
      ? ({ ...rest, span, suggestion } satisfies Finding)
      : { ...finding, fix: replace(span, newText) }
  })

/** A name as the text that it replaces is quoted; undefined where that stands on several lines. */
function written(name: string, before: string): string | undefined {
  if (before === '' || before.includes('\n')) return undefined
  if (before.startsWith("'")) return `'${name.replaceAll("'", "''")}'`
  return before.startsWith('"') || !PLAIN.test(name) ? JSON.stringify(name) : name
}

/** Texts that need no quotes: not a number, and not a word with another meaning. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[*$]?[A-Za-z._][\w./:-]*$/iu
