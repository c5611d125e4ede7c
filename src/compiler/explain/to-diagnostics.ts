import type { Diagnostic } from '../diagnostics.js'
import type { Finding } from '../finding.js'
import type { SourceMap } from '../parse/sources.js'
import { ruleOf } from '../rules/index.js'

/** A finding as it leaves the compiler: with the rule's name, lines and columns. */
export function toDiagnostic(
  { code, span, message, path = '', related = [], suggestion, fix, isGuess, severity }: Finding,
  sources: SourceMap,
): Diagnostic {
  const rule = ruleOf(code)
  return {
    code,
    slug: rule.slug,
    severity: severity ?? rule.severity,
    message,
    path,
    ...sources.place(span),
    related: related.map((each) => ({ message: each.message, ...sources.place(each.span) })),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(fix === undefined ? {} : { fix: fix.map((edit) => ({ ...sources.place(edit.span), newText: edit.newText })) }),
    ...(fix === undefined || isGuess === undefined ? {} : { isGuess }),
    docs: `docs/reference/rules/${ruleOf(code).slug}.md`,
  }
}
