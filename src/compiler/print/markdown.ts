/** The only place that writes Markdown. Every text of a manifest passes through `inline`, so that none becomes markup. */

const SPECIAL = /[\\`*_{}[\]<>()#+!|~&$]/gu

/** A text on one line, with nothing that Markdown, HTML or a table would read. Code in backticks stays code. */
export const inline = (text: string): string =>
  text
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .split(/(`[^`|\\]+`)/u)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(SPECIAL, (character) => `\\${character}`)))
    .join('')

/** A name of the manifest as code; names have no backticks. */
export const code = (name: string): string => `\`${name.replaceAll(/[`|\\\r\n]/gu, '')}\``

/** A table; cells are Markdown already. Nothing without rows. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return []
  const widths = heads.map((head, column) =>
    Math.max(3, ...[head, ...rows.map((row) => row[column] ?? '')].map((cell) => cell.length)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  return [line(heads), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line), '']
}
