import { asJson } from '../shared/output/as-json.js'
import { printable } from '../shared/output/printable.js'
import type { Verdict } from './verdict.js'
import { printOut } from '../shared/output/print.js'

/** Prints what was found. */
export function printVerdict(verdict: Verdict, file: string, format: 'text' | 'json'): void {
  printOut(format === 'json' ? jsonOf(verdict) : textOf(verdict, file))
}

const jsonOf = ({ kind, facts, findings }: Verdict): string =>
  asJson({
    kind,
    verified: findings.length === 0,
    facts: Object.fromEntries(facts.map(([name, value]) => [name, value])),
    findings,
  })

function textOf({ kind, facts, findings }: Verdict, file: string): string {
  const width = Math.max(0, ...facts.map(([name]) => name.length))
  const lines = facts.map(
    ([name, value, said]) => `  ${name.replaceAll('_', ' ').padEnd(width)}  ${printable(said ?? String(value))}`,
  )
  const head = findings.length === 0 ? `verified: ${kind} ${file}` : `NOT verified: ${kind} ${file}`
  return `${[head, ...lines, ...findings.map((finding) => `  - ${printable(finding)}`)].join('\n')}\n`
}
