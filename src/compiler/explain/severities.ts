import { ruleOf } from '../rules/index.js'
import type { Step } from './step.js'

/** Applies configured severities; only to lint rules. */
export const weighed: Step = (findings, { severities }) =>
  findings.map((finding) => {
    const { code } = finding
    const severity = ruleOf(code).source === 'L' && Object.hasOwn(severities, code) ? severities[code] : undefined
    return severity === undefined || severity === 'off' ? finding : { ...finding, severity }
  })
