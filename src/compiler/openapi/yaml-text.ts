/** A scalar in YAML that is exactly the value: quoted unless it is a plain word or a number. */
export function textOfYaml(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  const isWord =
    /^[A-Za-z$](?:[A-Za-z0-9 _./()-]*[A-Za-z0-9_.)])?$/u.test(value) &&
    !/[:#,] |^(?:null|true|false|yes|no|on|off|todo|y|n)$|,/iu.test(value)
  if (isWord) return value
  return /^[\x20-\x7e]*$/u.test(value)
    ? `'${value.replaceAll("'", "''")}'`
    : JSON.stringify(value).replaceAll(new RegExp(UNSEEN, 'gu'), escaped)
}

const UNSEEN = /[\u007F-\u009F\u2028\u2029\uFFFD\p{Cf}]/u

/** An escape for what a well-formed file does not hold, or an editor does not show. */
function escaped(character: string): string {
  const code = character.codePointAt(0)!.toString(16)
  return character.length > 1 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
}

/** The rest of a line after `#`: a character that ends the line, or is not shown, becomes a question mark. */
export const yamlComment = (text: string): string => text.replaceAll(/[^\x20-\x7e]/gu, '?')

/** A file as its formatter writes it, unless that writes what a well-formed file does not hold. */
export const tidied = (written: string, formatted: string | undefined): string =>
  formatted === undefined || UNSEEN.test(formatted) ? written : formatted

const WIDTH = 120

/** `name: value` of a block, folded where `svc fmt` folds it. */
export function foldedMember(name: string, value: string | number | boolean, indent: number): string {
  const text = textOfYaml(value)
  const longest = WIDTH + 1 - (indent + 2)
  const start = `${' '.repeat(indent)}${name}: `
  if (text.length <= longest) return start + text
  const lines: string[] = []
  let [from, end, split] = [0, WIDTH - name.length - 2, 0]
  for (let at = 1; at < text.length; at++) {
    if (text[at] === ' ' && text[at - 1] !== ' ' && ![' ', undefined].includes(text[at + 1])) split = at
    if (at < end || split <= from) continue
    lines.push(text.slice(from, split))
    from = split + 1
    end = split + longest
  }
  return start + [...lines, text.slice(from)].join(`\n${' '.repeat(indent + 2)}`)
}
