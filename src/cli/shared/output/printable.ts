/**
 * One line of text from a file or a service: it may not steer the terminal, nor look like a line of ours, nor be the
 * command `##[…]` of a workflow, which counts anywhere in a line.
 */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]|(?<=##)\[/gu, escaped)

/** Lines of ours, with the same escapes in them: whatever a value brings along, no terminal is steered. */
export const printableLines = (text: string): string =>
  text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]|(?<=##)\[/gu, escaped)

/** By UTF-16 units, so that JSON with these escapes has the same value. */
const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  ).join('')
