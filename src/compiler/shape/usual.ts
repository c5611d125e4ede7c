/**
 * What most texts of a format look like, told letter by letter: the first use of a regular expression takes longer than
 * all of this. True only where the pattern of the format would match.
 */

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isSmall = (code: number): boolean => code >= 97 && code <= 122

const LONGEST = 128
const POINT = 46
const UNDERSCORE = 95

/** Lower-case words joined by `_`, in parts joined by the joiner. */
function joined(text: string, joiner: number): boolean {
  if (text.length > LONGEST) return false
  let before = joiner
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const fits =
      before === joiner ? isSmall(code)
      : isSmall(code) || isDigit(code) || ((code === UNDERSCORE || code === joiner) && before !== UNDERSCORE) // prettier-ignore
    if (!fits) return false
    before = code
  }
  return before !== joiner && before !== UNDERSCORE
}

export const isWord = (text: string): boolean =>
  joined(text, UNDERSCORE) && text !== 'constructor' && text !== 'prototype'
export const isDottedWord = (text: string): boolean =>
  joined(text, POINT) && text !== 'constructor' && text !== 'prototype'

/** Three numbers without leading zeros. */
export function isVersion(text: string): boolean {
  let points = 0
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === POINT && length > 0) {
      points++
      length = 0
    } else if (isDigit(code) && !(length === 1 && text.charCodeAt(at - 1) === 48)) length++
    else return false
  }
  return points === 2 && length > 0
}
