/**
 * Collects lines at a depth. A general code writer looks at every character; here the texts are known to be whole
 * lines.
 */
export interface Writer {
  writeLine(line: string): void
  /** Unless the last line is blank, or there is none. */
  blankLineIfLastNot(): void
  /** Writes the block one level deeper. */
  indent(block: () => void): void
  getIndentationLevel(): number
}

const INDENTS = Array.from({ length: 16 }, (_, level) => '  '.repeat(level))

/** A writer and the text that it has collected: lines that end in one newline, no blank ones at the end. */
export function newWriter(): { readonly writer: Writer; readonly text: () => string } {
  const lines: string[] = []
  let level = 0
  const writer: Writer = {
    writeLine: (line) => void lines.push(line === '' ? '' : `${INDENTS[level] ?? '  '.repeat(level)}${line}`),
    blankLineIfLastNot: () => {
      if (lines.length > 0 && lines.at(-1) !== '') lines.push('')
    },
    indent: (block) => {
      level += 1
      block()
      level -= 1
    },
    getIndentationLevel: () => level,
  }
  return { writer, text: () => `${(lines.at(-1) === '' ? lines.slice(0, -1) : lines).join('\n')}\n` }
}
