/** The version of what commands print as data. A change of a shape raises it. */
export const OUTPUT_VERSION = 1
/** Version of the printed findings. */
export const DIAGNOSTICS_VERSION = 2

/**
 * JSON that may be shown: what would steer a terminal, or the order of its characters, is escaped. No value is another.
 */
export const printedJson = (value: object): string =>
  // The class is looked up when the expression is made: only where there is something to print.
  `${JSON.stringify(value, undefined, 2).replaceAll(/[\p{Cf}\u007F-\u009F\u2028\u2029]/gu, escaped)}\n`

/** By UTF-16 units, as JSON has it. */
const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  ).join('')
