import { safe } from '../../compiler/report/code-frame.js'

const SHOWN = 24
/** Cells of the table beyond which the middle is shown as one change. */
const LARGE = 4_000_000

interface Line {
  readonly mark: '+' | '-'
  readonly text: string
  /** Line number in the old text, from 1. */
  readonly at: number
}

/** Returns the line differences of two texts for a person, at most two dozen lines. */
export function differenceOf(before: string, after: string): string {
  const lines = changesBetween(before.split('\n'), after.split('\n'))
  const shown = lines.slice(0, SHOWN).flatMap(({ mark, text, at }, index) => {
    const previous = lines[index - 1]
    const head = previous === undefined || at - previous.at > 1 ? [`  @ line ${at}`] : []
    return [...head, `  ${mark} ${safe(text.length > 160 ? `${text.slice(0, 160)}…` : text)}`]
  })
  return (lines.length > SHOWN ? [...shown, `  … ${lines.length - SHOWN} more lines`] : shown).join('\n')
}

function changesBetween(old: readonly string[], fresh: readonly string[]): readonly Line[] {
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++
  let end = 0
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end)) end++
  const removed = old.slice(start, old.length - end)
  const added = fresh.slice(start, fresh.length - end)
  return removed.length * added.length > LARGE ? whole(removed, added, start) : shortest(removed, added, start)
}

const whole = (removed: readonly string[], added: readonly string[], start: number): readonly Line[] => [
  ...removed.map((text, index) => ({ mark: '-' as const, text, at: start + index + 1 })),
  ...added.map((text) => ({ mark: '+' as const, text, at: start + removed.length + 1 })),
]

/** By the longest common subsequence. */
function shortest(removed: readonly string[], added: readonly string[], start: number): readonly Line[] {
  const common = commonLengths(removed, added)
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < removed.length || j < added.length) {
    const at = start + i + 1
    if (i < removed.length && j < added.length && removed[i] === added[j]) [i, j] = [i + 1, j + 1]
    else if (j >= added.length || (i < removed.length && common[i + 1]![j]! >= common[i]![j + 1]!))
      lines.push({ mark: '-', text: removed[i++]!, at })
    else lines.push({ mark: '+', text: added[j++]!, at })
  }
  return lines
}

function commonLengths(removed: readonly string[], added: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: removed.length + 1 }, () => new Uint32Array(added.length + 1))
  for (let i = removed.length - 1; i >= 0; i--)
    for (let j = added.length - 1; j >= 0; j--)
      rows[i]![j] = removed[i] === added[j] ? rows[i + 1]![j + 1]! + 1 : Math.max(rows[i + 1]![j]!, rows[i]![j + 1]!)
  return rows
}
