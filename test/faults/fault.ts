import type { Site, Token } from './sites.js'

/** A valid manifest in one of the ways in which people write. */
export interface Styled {
  readonly name: string
  readonly text: string
  readonly sites: readonly Site[]
  /** Whether fields stand on lines of their own, by indentation. */
  readonly isBlock: boolean
  readonly isJson: boolean
}

/** A text with one fault, and where somebody would look for it: offsets of the new text. */
export interface Made {
  readonly text: string
  readonly at: readonly number[]
}

/** One of several, by the generator's own numbers. */
export interface Random {
  <Item>(items: readonly Item[]): Item | undefined
}

/** Makes one fault of a kind; undefined where the manifest has no place for it. */
export type Kind = (manifest: Styled, random: Random) => Made | undefined
export type Kinds = { readonly [name: string]: Kind }

/** A text with something else between two offsets. */
export const replaced = (text: string, start: number, end: number, by: string): Made => ({
  text: text.slice(0, start) + by + text.slice(end),
  at: [start],
})

/** A kind that changes a token of a field. */
export const ofSite =
  (
    fits: (site: Site, manifest: Styled) => boolean,
    change: (site: Site, manifest: Styled, random: Random) => Made | undefined,
  ): Kind =>
  (manifest, random) => {
    const site = random(manifest.sites.filter((each) => fits(each, manifest)))
    return site === undefined ? undefined : change(site, manifest, random)
  }

/** A kind that writes another name for a field. */
export const ofKey = (fits: RegExp, change: (name: string) => string | undefined): Kind =>
  ofSite(
    ({ path, key }) => fits.test(path) && change(key.text) !== undefined,
    ({ key }, manifest) => rewritten(manifest, key, change(key.text)!),
  )

/** A kind that writes another value for a field whose value is a scalar. */
export const ofValue = (fits: RegExp, change: (value: string) => string | undefined): Kind =>
  ofSite(
    ({ path, value }) => fits.test(path) && value !== undefined && change(value.text) !== undefined,
    ({ value }, manifest) => rewritten(manifest, value!, change(value!.text)!),
  )

/** A kind that writes something in the place of a whole value, as it stands. */
export const inPlace = (fits: RegExp, by: string): Kind =>
  ofSite(
    ({ path, isInFlow, span }) => fits.test(path) && (isInFlow || !span.text.includes('\n')),
    ({ span, key }, { text, isJson }) => {
      const made = replaced(
        text,
        span.start,
        span.end,
        isJson && /^[\w-]+$/u.test(by) && !ATOM.test(by) ? `"${by}"` : by,
      )
      return { ...made, at: [span.start, key.start] }
    },
  )

const ATOM = /^(?:true|false|null|-?\d+(?:\.\d+)?)$/u

/** Written with the quotes that the token had. */
function rewritten({ text }: Styled, { start, end }: Token, by: string): Made {
  const quote = /^["']/u.exec(text.slice(start, end))?.[0] ?? ''
  return replaced(text, start, end, `${quote}${by}${quote}`)
}

/** A kind that changes one line that is neither blank nor a comment; of texts in block style. */
export const ofLine =
  (
    change: (line: string, lines: readonly string[], at: number) => string | undefined,
    isRight: (at: number, lines: readonly string[]) => readonly number[] = (at) => [at],
  ): Kind =>
  ({ text, isBlock }, random) => {
    if (!isBlock) return undefined
    const lines = text.split('\n')
    const fitting = lines.flatMap((line, at) => {
      const now = /^\s*(?:#|$)/u.test(line) || isWithinBlockText(lines, at) ? undefined : change(line, lines, at)
      return now === undefined || now === line ? [] : [{ at, now }]
    })
    const one = random(fitting)
    if (one === undefined) return undefined
    const changed = lines.with(one.at, one.now).join('\n')
    return { text: changed, at: isRight(one.at, lines).map((line) => offsetOf(changed.split('\n'), line)) }
  }

const offsetOf = (lines: readonly string[], at: number): number => {
  const before = lines.slice(0, at).join('\n').length
  return at === 0 ? 0 : before + 1 + (/^\s*/u.exec(lines[at] ?? '')?.[0].length ?? 0)
}

/** Whether a line is part of a text that began above: of `|`, `>` or one that was folded. */
function isWithinBlockText(lines: readonly string[], at: number): boolean {
  const indent = indentOf(lines[at]!)
  for (let above = at - 1; above >= 0; above--) {
    const line = lines[above]!
    if (line.trim() === '' || indentOf(line) >= indent) continue
    return /[|>][+-]?\d?\s*(?:#.*)?$/u.test(line) || !/^\s*(?:- )*(?:["']?[\w.$-]+["']?\s*:(?:\s|$)|-)/u.test(line)
  }
  return false
}

export const indentOf = (line: string): number => line.length - line.trimStart().length
export const isKeyLine = (line: string): boolean => /^\s*(?:- )*["']?[\w.$-]+["']?:(?:\s|$)/u.test(line)
export const isScalarLine = (line: string): boolean => /^\s*(?:- )?[a-z_]+: [^\s|>[{&*#]/u.test(line)
export const endsInKey = (line: string): boolean => /^[^#]*[\w"']:\s*$/u.test(line)

/** The line after a block that begins at a line. */
export function blockEnd(lines: readonly string[], at: number): number {
  let end = at + 1
  while (end < lines.length && (lines[end]!.trim() === '' || indentOf(lines[end]!) > indentOf(lines[at]!))) end++
  while (end > at + 1 && lines[end - 1]!.trim() === '') end--
  return end
}

/** A kind that puts lines before one that begins a field, or at its indentation. */
export const insertedBefore =
  (
    fits: (line: string, lines: readonly string[], at: number) => boolean,
    write: (indent: string, line: string) => readonly string[],
  ): Kind =>
  ({ text, isBlock }, random) => {
    if (!isBlock) return undefined
    const lines = text.split('\n')
    const at = random(
      lines.flatMap((line, index) =>
        isKeyLine(line) && !isWithinBlockText(lines, index) && fits(line, lines, index) ? [index] : [],
      ),
    )
    if (at === undefined) return undefined
    const now = lines.toSpliced(at, 0, ...write(' '.repeat(indentOf(lines[at]!)), lines[at]!))
    return { text: now.join('\n'), at: [offsetOf(now, at)] }
  }
