/** Bracket or quote that is never closed. Offsets count from the start of the text. */
export interface Unclosed {
  readonly at: number
  readonly mark: string
}

/** An opener stands at most this many lines above the place where its lack of an end is noticed. */
const FARTHEST = 40
const VALUE = /^ *(?:- +)*(?:["']?[\w.$-]+["']?:(?: +|$))?(?:- +)*/u
const NEXT_FIELD = /^ *(?:- +)?["']?[\w.$-]+["']?:(?:\s|$)|^ *- +\S|^\s*$/u

/** The bracket or quote that is still open where a parser met the next field, or the end. */
export function unclosedBefore(text: string, position: number): Unclosed | undefined {
  const noticed = position < 1 ? 0 : text.lastIndexOf('\n', position - 1) + 1
  const lineOf = (start: number): string => text.slice(start, endOfLine(text, start))
  if (!NEXT_FIELD.test(lineOf(noticed))) return undefined
  for (let line = noticed, count = 0; line > 0 && count < FARTHEST; count++) {
    line = line < 2 ? 0 : text.lastIndexOf('\n', line - 2) + 1
    const start = line + (VALUE.exec(lineOf(line))?.[0].length ?? 0)
    if (!/[[{"']/u.test(text.charAt(start))) continue
    const open = openAt(text, start, noticed)
    if (open !== undefined) return open
  }
  return undefined
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** Returns the innermost bracket or quote that is open at `to`, if a value begins at `from`. */
function openAt(text: string, from: number, to: number): Unclosed | undefined {
  const open: number[] = []
  for (let at = from; at < to; at++) {
    const mark = text.charAt(at)
    if (mark === '[' || mark === '{') open.push(at)
    else if (mark === ']' || mark === '}') open.pop()
    else if (mark === '#' && /\s/u.test(text.charAt(at - 1))) at = endOfLine(text, at)
    else if ((mark === '"' || mark === "'") && startsToken(text, at, from)) {
      const end = closingQuote(text, at, mark)
      if (end === undefined || end >= to) return { at, mark }
      at = end
    }
    // What follows the value on its line is not part of it.
    if (open.length === 0) return undefined
  }
  const at = open.at(-1)
  return at === undefined ? undefined : { at, mark: text.charAt(at) }
}

const startsToken = (text: string, at: number, from: number): boolean =>
  at === from || /[\s[{,:]/u.test(text.charAt(at - 1))

function closingQuote(text: string, from: number, mark: string): number | undefined {
  for (let at = from + 1; at < text.length; at++) {
    const character = text.charAt(at)
    const isEscape = mark === '"' ? character === '\\' : character === mark && text.charAt(at + 1) === mark
    if (isEscape) at++
    else if (character === mark) return at
  }
  return undefined
}
