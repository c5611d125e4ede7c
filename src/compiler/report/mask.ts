import type { Diagnostic, Source } from '../diagnostics.js'
import { ruleOf } from '../rules/index.js'
import { maySecretsHide } from '../rules/facts/secrets.js'
import { readDocument } from '../parse/read-document.js'
import { conceal, linesOfSecret, mayNameSecrets, secretsOf } from '../explain/secrets.js'

/** The sources with every secret painted over, so that no frame of any finding shows it. Lines and columns stay. */
export interface Mask {
  readonly sources: readonly Source[]
  /** Checks whether a text contains a secret of these sources. */
  readonly hides: (text: string) => boolean
}

export function maskOf(sources: readonly Source[], diagnostics: readonly Diagnostic[]): Mask {
  if (diagnostics.length === 0) return { sources, hides: () => false }
  const told = diagnostics.filter(({ code }) => ruleOf(code)?.secret)
  const written = new Map(sources.map(({ file, text }) => [file, text]))
  const values = told.map(({ file, range }) => written.get(file)?.slice(range.start.offset, range.end.offset) ?? '')
  const secrets = [...values.flatMap(linesOfSecret), ...secretsIn(sources)]
  const painting = sources.map(({ file, text }) => {
    const ownPlaces = told.filter((each) => each.file === file)
    // A long look at a long text is needed only where a quick one found a trace.
    const mayLeak = ownPlaces.length > 0 || secrets.length > 0 || maySecretsHide(text)
    return { file, text: mayLeak ? conceal(painted(text, ownPlaces), secrets) : text }
  })
  return { sources: painting, hides: (text) => conceal(text, secrets) !== text }
}

/** The secrets that sources hold, whether or not a rule tells of them. */
export const secretsIn = (sources: readonly Source[]): readonly string[] =>
  secretsOf(
    sources.map(({ text }) => text),
    sources.map(({ file, text }) =>
      mayNameSecrets(text) ? readDocument({ file, text, base: 0 }, () => undefined) : undefined,
    ),
  )

/** Findings stand in the order of the text. */
function painted(text: string, secrets: readonly Diagnostic[]): string {
  const parts: string[] = []
  let from = 0
  for (const { range } of secrets) {
    const [start, end] = [Math.max(from, range.start.offset), Math.max(from, range.end.offset)]
    parts.push(text.slice(from, start), text.slice(start, end).replaceAll(/\S/gu, '*'))
    from = end
  }
  return [...parts, text.slice(from)].join('')
}
