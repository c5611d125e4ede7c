import type { Diagnostic, Severity } from '../diagnostics.js'
import type { Finding } from '../finding.js'
import type { Sources } from '../parse/sources.js'
import { pathTo } from '../parse/path-to.js'
import type { YamlNode } from '../parse/tree.js'
import { unquoted } from '../report/mask.js'
import { maySecretsHide } from '../rules/facts/secrets.js'
import { ruleOf } from '../rules/index.js'
import { conceal, secretsOf } from './secrets.js'

const WEIGHT: { readonly [severity in Severity]: number } = { error: 0, warning: 1, info: 2 }

/** Findings as they leave the compiler: with lines and columns, by file, place and code, each once. */
export function toDiagnostics(
  findings: readonly Finding[],
  roots: readonly (YamlNode | undefined)[],
  sources: Sources,
): readonly Diagnostic[] {
  const sorted = findings.toSorted(
    (one, other) => one.spot.start - other.spot.start || byWeight(one, other) || compare(one.code, other.code),
  )
  const seen = new Set<string>()
  const once = sorted.filter(({ code, spot, message }) => {
    const key = `${code} ${spot.start} ${message}`
    if (seen.has(key)) return false
    return seen.add(key)
  })
  if (once.length === 0) return []
  const secrets = secretsFound(once, roots, sources)
  const diagnostics = once.map((finding) => toDiagnostic(finding, roots, sources))
  // A message holds what the text holds: where that has no trace of a secret, nothing needs to be hidden.
  const mayLeak = secrets.length > 0 || sources.files.some(({ text }) => maySecretsHide(text))
  return mayLeak ? diagnostics.map((each) => withoutSecrets(each, secrets)) : diagnostics
}

/** What no message may repeat. */
const secretsFound = (
  findings: readonly Finding[],
  roots: readonly (YamlNode | undefined)[],
  sources: Sources,
): readonly string[] => [
  ...findings.flatMap(({ code, spot }) => (ruleOf(code).secret ? unquoted(sources.text(spot)) : [])),
  ...secretsOf(
    sources.files.map(({ text }) => text),
    roots,
  ),
]

/** A fix keeps what it replaces: it is applied, not shown. */
function withoutSecrets(diagnostic: Diagnostic, secrets: readonly string[]): Diagnostic {
  const hide = (text: string): string => conceal(text, secrets)
  const { message, path, related, suggestion } = diagnostic
  return {
    ...diagnostic,
    message: hide(message),
    path: hide(path),
    related: related.map((each) => ({ ...each, message: hide(each.message) })),
    ...(suggestion === undefined ? {} : { suggestion: hide(suggestion) }),
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
const byWeight = (one: Finding, other: Finding): number =>
  WEIGHT[ruleOf(one.code).severity] - WEIGHT[ruleOf(other.code).severity]

function toDiagnostic(
  { code, spot, message, related = [], suggestion, fix }: Finding,
  roots: readonly (YamlNode | undefined)[],
  sources: Sources,
): Diagnostic {
  const { slug, severity } = ruleOf(code)
  return {
    code,
    slug,
    severity,
    message,
    path: pathTo(roots[sources.files.indexOf(sources.fileAt(spot.start))], spot.start),
    ...sources.place(spot),
    related: related.map((each) => ({ message: each.message, ...sources.place(each.spot) })),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(fix === undefined ? {} : { fix: fix.map((edit) => ({ ...sources.place(edit.spot), newText: edit.newText })) }),
    docs: `docs/reference/rules/${ruleOf(code).slug}.md`,
  }
}
