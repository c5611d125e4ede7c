import type { Diagnostic, Source } from '../diagnostics.js'
import { ruleOf } from '../rules/index.js'

/** The sources with every secret that was found painted over, so that no frame of any finding shows it. */
export function masked(sources: readonly Source[], diagnostics: readonly Diagnostic[]): readonly Source[] {
  const secrets = diagnostics.filter(({ code }) => ruleOf(code).secret)
  if (secrets.length === 0) return sources
  return sources.map(({ file, text }) => ({
    file,
    text: painted(
      text,
      secrets.filter((each) => each.file === file),
    ),
  }))
}

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
