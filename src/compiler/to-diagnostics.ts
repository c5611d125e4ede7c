import type { Diagnostic, Severity } from './diagnostics.js'
import type { Finding } from './finding.js'
import type { Sources } from './read/sources.js'
import { pathTo } from './read/path-to.js'
import type { YamlNode } from './read/tree.js'
import { ruleOf } from './rules/index.js'

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
  return once.map((finding) => toDiagnostic(finding, roots, sources))
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
    docs: `docs/reference/rules/${code}.md`,
  }
}
