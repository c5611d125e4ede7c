/** Checks what stands on standard input, in all formats, and says what it cost. */
import { readFileSync } from 'node:fs'
import { check } from '../../dist/compiler/check.js'
import { jsonReport } from '../../dist/compiler/report/json.js'
import { textReport } from '../../dist/compiler/report/text.js'

const text = readFileSync(0, 'utf8')
const before = process.resourceUsage()
const sources = [{ file: 'svc.yaml', text }]
const { diagnostics } = check(sources, { now: 0 })
textReport({ sources, diagnostics, limit: 100 }, { color: false, summaryOnly: false })
jsonReport({ sources, diagnostics }, '0.0.0')
const after = process.resourceUsage()
console.log(
  JSON.stringify({
    findings: diagnostics.length,
    cpu: (after.userCPUTime + after.systemCPUTime - before.userCPUTime - before.systemCPUTime) / 1000,
    memory: (after.maxRSS - before.maxRSS) / 1024,
  }),
)
