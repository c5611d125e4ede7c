import type { Report } from '../finding.js'
import type { Span } from '../parse/tree.js'
import { RULES } from '../rules/index.js'
import { meant, nearest, question } from '../nearest.js'
import { itemAt, keyOf } from '../shape/view.js'
import type { ConfigView } from './config.js'

/** Only lints can be chosen: what the interface document demands is checked always, and as an error. */
export function reportLints({ validate }: ConfigView, report: Report): void {
  for (const [index, code] of (validate?.enable ?? []).entries())
    reportLint(code, itemAt(validate!.enable!, index), report)
  for (const code of Object.keys(validate?.severity ?? {})) reportLint(code, keyOf(validate!.severity!, code), report)
}

function reportLint(code: string, span: Span, report: Report): void {
  const rule = RULES.find((each) => each.code === code)
  if (rule?.source === 'L') return
  if (rule !== undefined)
    return report('SVC0004', span, `${code} is no lint: it is always checked, and its severity is fixed.`)
  const near = nearest(
    code,
    RULES.filter(({ source }) => source === 'L').map((each) => each.code),
  )
  report('SVC0004', span, `\`${code}\` is no rule; \`svc rules\` lists them.${question(near)}`, meant(near))
}
