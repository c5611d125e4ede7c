import { CliError } from '../errors/cli-error.js'
import { shellWord } from '../../../protocol/shell.js'

/**
 * The only place that writes `.env`, which shells source and Node reads (threat N27). A line that either of them could
 * take for two is refused.
 */
export const commentLine = (text: string): string => `# ${heldIn('comment', text)}\n`

/** `NAME=value`; an empty value is for the author to fill in. */
export function settingLine(name: string, value: string): string {
  if (!isVariable(name)) throw new CliError(`${JSON.stringify(name)} cannot be a variable of the environment.`)
  // Node takes no quote in quotes; a shell does.
  if (value.includes("'")) throw new CliError(`The value of ${name} holds a quote, which .env cannot hold.`)
  return `${name}=${value === '' ? '' : shellWord(heldIn('value', value))}\n`
}

/** Letters, digits and `_`, not beginning with a digit (POSIX, section 8.1). */
export const isVariable = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)

function heldIn(place: string, text: string): string {
  if (!/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text)) return text
  throw new CliError(`A ${place} of .env cannot hold the control character in ${JSON.stringify(text)}.`)
}
