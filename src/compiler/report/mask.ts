import type { Diagnostic, Source } from '../diagnostics.js'
import { ruleOf } from '../rules/index.js'

/** The sources with every secret that was found painted over, so that no frame of any finding shows it. */
export function masked(sources: readonly Source[], diagnostics: readonly Diagnostic[]): readonly Source[] {
  const secrets = diagnostics.filter(({ code }) => ruleOf(code).secret)
  if (secrets.length === 0) return sources
  return sources.map(({ file, text }) => ({
    file,
    text: secrets.filter((each) => each.file === file).reduce(paintOver, text),
  }))
}

function paintOver(text: string, { range: { start, end } }: Diagnostic): string {
  const hidden = text.slice(start.offset, end.offset).replaceAll(/[^\s]/gu, '*')
  return text.slice(0, start.offset) + hidden.padEnd(end.offset - start.offset, '*') + text.slice(end.offset)
}
