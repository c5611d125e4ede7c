const SHOWN = 12

/** What changes between two texts, as a person reads it: the lines around the first to the last change, at most a dozen a side. */
export function differenceOf(before: string, after: string): string {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++
  let end = 0
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end)) end++
  const removed = old.slice(start, old.length - end)
  const added = fresh.slice(start, fresh.length - end)
  return [`  @ line ${start + 1}`, ...marked('-', removed), ...marked('+', added)].join('\n')
}

function marked(mark: string, lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, SHOWN).map((line) => `  ${mark} ${line.length > 160 ? `${line.slice(0, 160)}…` : line}`)
  return lines.length > SHOWN ? [...shown, `  ${mark} … ${lines.length - SHOWN} more lines`] : shown
}
