/** A text by its lines, of which only those are cut out that are asked for. Lines end at LF. */
export interface LineIndex {
  readonly text: string
  readonly starts: readonly number[]
}

export const lineCount = ({ starts }: LineIndex): number => starts.length

export const lineAt = ({ text, starts }: LineIndex, line: number): string =>
  text.slice(starts[line], line + 1 < starts.length ? starts[line + 1]! - 1 : text.length)

export const linesBetween = (lines: LineIndex, from: number, to: number): readonly string[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => lineAt(lines, from + index))

/** The same with some lines written otherwise. */
export function linesWith(lines: LineIndex, changed: ReadonlyMap<number, string>): LineIndex {
  const parts: string[] = []
  const starts = [...lines.starts]
  let from = 0
  let moved = 0
  let next = 0
  const moveTo = (line: number): void => {
    for (; next <= line; next++) starts[next]! += moved
  }
  for (const [line, text] of [...changed].toSorted(([one], [other]) => one - other)) {
    const start = lines.starts[line]!
    const { length } = lineAt(lines, line)
    parts.push(lines.text.slice(from, start), text)
    from = start + length
    moveTo(line)
    moved += text.length - length
  }
  moveTo(starts.length - 1)
  return { text: [...parts, lines.text.slice(from)].join(''), starts }
}
