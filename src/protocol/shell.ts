/**
 * The only place that writes words of a shell: each is exactly the text, on one line (threat N27). Bytes of control
 * characters are written out, which bash, zsh, ksh and POSIX 2024 read.
 */
export function shellWord(text: string): string {
  if (/^[\p{L}\p{N}_@%+=:,./-]+$/u.test(text)) return text
  if (!UNSEEN.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`
  return `$'${text.replaceAll(/['\\]/gu, String.raw`\$&`).replaceAll(new RegExp(UNSEEN, 'gu'), bytesOf)}'`
}

/** The same of a path, which is never an option. */
export const shellPath = (path: string): string => shellWord(path.startsWith('-') ? `./${path}` : path)

const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/u

const bytesOf = (character: string): string =>
  Array.from(new TextEncoder().encode(character), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
