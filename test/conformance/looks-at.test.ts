/** What each case of the suite looks at: of which answers and documents it says that a service does not conform. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CASES } from '../../src/cli/conformance/run.js'
import { declarationCases } from '../../src/conformance/declarations.js'
import { documentCases } from '../../src/conformance/documents.js'
import { connectToService, type ServiceUnderTest } from '../../src/conformance/target.js'
import type { Running } from '../../src/runtime/node.js'
import { lookedAt, lookedAtInDocuments } from './replayed.js'
import { CREDENTIALS, startService } from './service.js'

let running: Running
let target: ServiceUnderTest

beforeAll(async () => {
  running = await startService()
  target = await connectToService(running.url, CREDENTIALS)
})
afterAll(() => running.close())

it('each case finds what it says, wherever it is wrong in an answer', async () => {
  const lines: string[] = []
  for (const each of CASES)
    lines.push(`[${each.section}] ${each.title}`, ...(await lookedAt(target, each)).map((line) => `  ${line}`))
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('looks-at-answers.txt')
}, 300_000)

it('each case about the documents finds what it says, wherever it is wrong in them', async () => {
  const lines: string[] = []
  for (const each of [...documentCases, ...declarationCases]) {
    const at = await lookedAtInDocuments(target, each)
    if (at.length > 0) lines.push(`[${each.section}] ${each.title}`, ...at.map((line) => `  ${line}`))
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('looks-at-documents.txt')
}, 300_000)
