import type { Json } from '../../protocol/manifest.js'

/**
 * The only place that writes Markdown. Every text of a manifest passes through `inline`, so that none becomes markup.
 */

/** Steers a terminal that prints the page, or hides in it. */
const UNSEEN = /[\p{Cc}\p{Cf}]/gu
const SPECIAL = /[\\`*_{}[\]<>()#+!|~&$]/gu

/** A text on one line, with nothing that Markdown, HTML or a table would read. Code in backticks stays code. */
export const inline = (text: string): string => (HARMLESS.test(text) ? text : escaped(text))

/** Words of ASCII with one blank between them and nothing that is special: most texts. */
const HARMLESS = /^(?!-[ -]|-$|\d+\.(?: |$))[0-9A-Za-z"',./:;=?@%^-]+(?: [0-9A-Za-z"',./:;=?@%^-]+)*$/

const escaped = (text: string): string =>
  text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(UNSEEN, '\uFFFD')
    .trim()
    .split(/(`[^`|\\]+`)/u)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(SPECIAL, (character) => `\\${character}`)))
    .join('')
    .replace(DASH, '\\-')
    .replace(NUMBER, '$1\\.')

/** Text that would make a list or a rule at the beginning of a paragraph. */
const DASH = /^-(?=[ -]|$)/u
const NUMBER = /^(\d+)\.(?= |$)/u

/** A name of the manifest as code; names have no backticks. */
export const code = (name: string): string => `\`${name.replaceAll(/[`|\\\p{Cc}\p{Cf}\u2028\u2029]/gu, '')}\``

/** A value as JSON. */
export const inlineValue = (value: Json): string => inline(JSON.stringify(value))

/** A table; cells are Markdown already. Nothing without rows. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return []
  const widths = heads.map((head, column) => {
    let width = Math.max(3, head.length)
    for (const row of rows) width = Math.max(width, row[column]?.length ?? 0)
    return width
  })
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  return [line(heads), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line), '']
}
