/** Links of findings lead somewhere. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { rulePageUri } from '../../src/cli/shared/rule-pages.js'
import { RULES } from '../../src/compiler/rules/index.js'
import { svcOf } from './start.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-links-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

interface Sarif {
  readonly runs: readonly {
    readonly tool: {
      readonly driver: { readonly rules: readonly { readonly id: string; readonly helpUri?: string }[] }
    }
  }[]
}

it('helpUri is the page of the rule, a file that is there', () => {
  const text = readFileSync('examples/minimal/svc.yaml', 'utf8').replace('type: read', 'type: READ').replace('version:', 'verzion:') // prettier-ignore
  writeFileSync(join(folder, 'svc.yaml'), text)
  const { stdout } = svcOf(resolve('.'), ['validate', 'svc.yaml', '--format', 'sarif'], { cwd: folder })
  const { rules } = (JSON.parse(stdout) as Sarif).runs[0]!.tool.driver
  expect(rules.length).toBeGreaterThan(0)
  for (const { id, helpUri } of rules) expect(readFileSync(fileURLToPath(helpUri!), 'utf8')).toContain(id)
})

it('has a page for each rule', () => {
  const withoutPage = RULES.filter(({ slug }) => {
    const uri = rulePageUri(slug)
    return uri === undefined || !existsSync(fileURLToPath(uri))
  })
  expect(withoutPage.map(({ code }) => code)).toEqual([])
})
