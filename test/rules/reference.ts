import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { citedSections, SECTIONS } from '../../src/compiler/report/sections.js'
import { rulePage, type RuleExamples } from '../../src/compiler/report/rule-page.js'
import { RULES } from '../../src/compiler/rules/index.js'
import { caseOf } from './cases.js'

const PAGES = 'docs/reference/rules'
const EXAMPLES = 'schemas/rule-examples.json'
/** Longer examples do not explain more. */
const LONGEST = 4000

const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8')

/** The case of a rule is its example: what the pages show is what the tests run. */
function examplesOf(slug: string): RuleExamples {
  const folder = caseOf(slug)
  if (folder === undefined) return {}
  const [bad, output, good] = [read(folder, 'svc.yaml'), read(folder, 'expected.txt'), read(folder, 'good.yaml')]
  return bad.length > LONGEST || good.length > LONGEST ? { output } : { bad, output, good }
}

const index = (): string =>
  [
    '# Rules\n',
    `${RULES.length} rules. \`svc explain <name or code>\` prints a page offline. Made from the rules and their cases; do not edit.\n`,
    '| code | severity | name | description |',
    '|---|---|---|---|',
    ...RULES.map(
      ({ code, severity, slug, description }) =>
        `| ${code} | ${severity} | [${slug}](${slug}.md) | ${description.replaceAll('|', '\\|')} |`,
    ),
    '',
  ].join('\n')

const examples = (): string =>
  `${JSON.stringify(Object.fromEntries(RULES.map(({ slug }) => [slug, examplesOf(slug)])), null, 1)}\n`

/** The pages are made from the cases, so this follows the tests that write those. */
export function describeReference(): void {
  describe('the reference pages are up to date with the rules (UPDATE=1 rewrites them)', () => {
    beforeAll(() => {
      if (process.env['UPDATE'] !== '1') return
      rmSync(PAGES, { recursive: true, force: true, maxRetries: 20 })
      mkdirSync(PAGES, { recursive: true })
      for (const rule of RULES) writeFileSync(join(PAGES, `${rule.slug}.md`), rulePage(rule, examplesOf(rule.slug)))
      writeFileSync(join(PAGES, 'README.md'), index())
      writeFileSync(EXAMPLES, examples())
    })

    it('has a page for each rule, and no other', () => {
      expect(readdirSync(PAGES).toSorted()).toEqual(['README.md', ...RULES.map(({ slug }) => `${slug}.md`)].toSorted())
    })

    it.each(RULES.map((rule) => [rule.slug, rule] as const))('%s', (slug, rule) => {
      expect(readFileSync(join(PAGES, `${slug}.md`), 'utf8')).toBe(rulePage(rule, examplesOf(slug)))
    })

    it('leads from each section that a rule cites to a page, and has no page that none cites', () => {
      const cited = RULES.flatMap(({ section }) => (section === undefined ? [] : citedSections(section)))
      expect(cited.filter(({ page }) => !existsSync(join('docs', page)))).toEqual([])
      expect(() => citedSections('99')).toThrow('Section 99 has no page in docs.')
      const numbers = new Set(cited.map(({ name }) => /^\d+(?:\.\d+)?/u.exec(name)![0]))
      for (const number of numbers) numbers.add(number.replace(/\..*$/u, ''))
      expect(SECTIONS.filter((section) => !numbers.has(section))).toEqual([])
    })

    it('lists them', () => {
      expect(readFileSync(join(PAGES, 'README.md'), 'utf8')).toBe(index())
      expect(readFileSync(EXAMPLES, 'utf8')).toBe(examples())
    })
  })
}
