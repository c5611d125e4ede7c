import type { Finding } from '../finding.js'
import type { SourceMap } from '../parse/sources.js'
import type { YamlNode } from '../parse/tree.js'
import { maySecretsHide } from '../rules/facts/secrets.js'
import { ruleOf } from '../rules/index.js'
import type { Step } from './step.js'
import { conceal, linesOfSecret, secretsOf } from './secrets.js'

/** Hides secrets in what findings say. */
export const maskFindings: Step = (findings, { read: { roots, placed } }) => maskedIn(findings, roots, placed)

/** A message holds what the text holds: where that has no trace of a secret, nothing needs to be hidden. */
export function maskedIn(
  findings: readonly Finding[],
  roots: readonly (YamlNode | undefined)[],
  sources: SourceMap,
): readonly Finding[] {
  if (findings.length === 0) return findings
  const secrets = [
    ...findings.flatMap(({ code, span }) => (ruleOf(code).secret ? linesOfSecret(sources.text(span)) : [])),
    ...secretsOf(
      sources.files.map(({ text }) => text),
      roots,
    ),
  ]
  const mayLeak = secrets.length > 0 || sources.files.some(({ text }) => maySecretsHide(text))
  return mayLeak ? findings.map((each) => withoutSecrets(each, secrets)) : findings
}

/** A fix keeps what it replaces: it is applied, not shown. */
function withoutSecrets(finding: Finding, secrets: readonly string[]): Finding {
  const hide = (text: string): string => conceal(text, secrets)
  const { message, path, related, suggestion } = finding
  return {
    ...finding,
    message: hide(message),
    ...(path === undefined ? {} : { path: hide(path) }),
    ...(related === undefined ? {} : { related: related.map((each) => ({ ...each, message: hide(each.message) })) }),
    ...(suggestion === undefined ? {} : { suggestion: hide(suggestion) }),
  }
}
