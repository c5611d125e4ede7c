import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readManifest } from '../../src/cli/validate/read-manifest.js'
import { check } from '../../src/compiler/check.js'
import { textReport } from '../../src/compiler/report/text.js'
import { RULES } from '../../src/compiler/rules/index.js'
import type { Rule } from '../../src/compiler/rules/rule.js'
import { caseOf, CASES, SECTIONS } from './cases.js'
import { describeReference } from './reference.js'

const FOLDER = 'src/compiler/rules'
const rulesIn = (section: string): readonly string[] =>
  readdirSync(join(FOLDER, section)).filter((name) => name !== 'index.ts' && !name.endsWith('codes.ts')).map((name) => name.replace(/\.ts$/u, '')).toSorted()
const cases = (section: string): readonly string[] => CASES.filter((folder) => folder.startsWith(`test/rules/${section}/`)).map((folder) => basename(folder))

const NOW = Date.parse('2026-11-21T00:00:00Z')

/** Rules on the run and on files that are not there: tests of the command line provoke them. */
const ELSEWHERE = ['SVC0001', 'SVC0002', 'SVC0003', 'SVC0004', 'SVC0009', 'SVC0010', 'SVC0011', 'SVC0012', 'SVC0190', 'SVC3105']


async function read(folder: string, name: string) {
  const { sources, includeProblems } = await readManifest(join(folder, name))
  const named = sources.map(({ file, text }) => ({ file: file.replace(`${folder}/`, ''), text }))
  return { sources: named, includeProblems }
}

async function report(folder: string, name: string, rules?: readonly Rule[]): Promise<string> {
  const { sources, includeProblems } = await read(folder, name)
  const options = { now: NOW, includeProblems, enable: [codeOf(folder)] }
  const { diagnostics } = rules === undefined ? check(sources, options) : check(sources, { ...options, rules })
  return textReport({ sources, diagnostics }, { color: false, summaryOnly: false })
}

const codeOf = (folder: string): string => RULES.find(({ slug }) => slug === basename(folder))!.code

describe.each(CASES)('%s', (folder) => {
  it('reports what expected.txt says, and nothing else', async () => {
    const text = await report(folder, 'svc.yaml')
    if (process.env['UPDATE'] === '1') writeFileSync(join(folder, 'expected.txt'), text)
    expect(text).toBe(readFileSync(join(folder, 'expected.txt'), 'utf8'))
    expect([...text.matchAll(/^\S+:\d+:\d+ \w+ (SVC\d{4}) /gmu)].map((match) => match[1])).toEqual([codeOf(folder)])
  })

  it('says nothing about the good manifest', async () => {
    expect(await report(folder, 'good.yaml')).toMatch(/^0 problems in \d files?\.\n$/u)
  })
})

describe.each(CASES.filter((folder) => existsSync(join(folder, 'conditions.yaml'))))('%s', (folder) => {
  it('reports of conditions.yaml, its other good and bad cases, what conditions.txt says', async () => {
    const text = await report(folder, 'conditions.yaml', RULES.filter(({ code }) => code === codeOf(folder)))
    if (process.env['UPDATE'] === '1') writeFileSync(join(folder, 'conditions.txt'), text)
    expect(text).toBe(readFileSync(join(folder, 'conditions.txt'), 'utf8'))
    expect(new Set([...text.matchAll(/^\S+:\d+:\d+ \w+ (SVC\d{4}) /gmu)].map((match) => match[1]))).toEqual(new Set([codeOf(folder)]))
  })
})

describe.each(CASES.filter((folder) => existsSync(join(folder, 'silent.yaml'))))('%s', (folder) => {
  it('says nothing of silent.yaml: of what could not be read, and of what it leaves to others', async () => {
    const text = await report(folder, 'silent.yaml', RULES.filter(({ code }) => code === codeOf(folder)))
    expect(text).not.toContain(codeOf(folder))
  })
})

describe('every rule', () => {
  it('is listed once, in the order of its code, with a name of its own', () => {
    const codes = RULES.map(({ code }) => code)
    expect(codes).toEqual([...new Set(codes)].toSorted())
    expect(new Set(RULES.map(({ slug }) => slug)).size).toBe(RULES.length)
  })

  it('has a file of its own, and every file is listed', () => {
    expect(SECTIONS.flatMap(rulesIn).toSorted()).toEqual(RULES.filter(hasBody).map(({ slug }) => slug).toSorted())
  })

  it.each(SECTIONS.flatMap((section) => rulesIn(section).map((file) => [section, file] as const)))(
    'src/compiler/rules/%s/%s.ts declares the rule of its name, and no other',
    (section, file) => {
      const text = readFileSync(join(FOLDER, section, `${file}.ts`), 'utf8')
      expect([...text.matchAll(/^  slug: '([^']+)',$/gmu)].map((match) => match[1])).toEqual([file])
    },
  )

  it.each(SECTIONS)('src/compiler/rules/%s lists its own rules, and no folder is crowded', async (section) => {
    const { [`${section.toUpperCase()}_RULES`]: listed } = (await import(`../../src/compiler/rules/${section}/index.ts`)) as {
      readonly [name: string]: readonly Rule[]
    }
    expect(listed!.filter(hasBody).map(({ slug }) => slug).toSorted()).toEqual(rulesIn(section))
    expect(cases(section).filter((slug) => !listed!.some((rule) => rule.slug === slug))).toEqual([])
    expect(readdirSync(join(FOLDER, section)).length).toBeLessThanOrEqual(55)
  })

  it.each(RULES.map((rule) => [rule.code, rule.slug] as const))('%s %s has a case', (code, slug) => {
    if (!ELSEWHERE.includes(code)) expect(CASES.map((folder) => basename(folder))).toContain(slug)
  })

  it.each(ELSEWHERE)('%s has no folder, but a test of the command line provokes it', (code) => {
    const tests = readdirSync('test/cli').filter((name) => name.endsWith('.test.ts'))
    const { slug } = RULES.find((rule) => rule.code === code)!
    expect(caseOf(slug)).toBeUndefined()
    expect(tests.filter((name) => readFileSync(join('test/cli', name), 'utf8').includes(`${code} ${slug}`))).not.toEqual([])
  })

  it.each(RULES.filter((rule) => hasBody(rule) && !ELSEWHERE.includes(rule.code)).map((rule) => [rule.code, rule] as const))(
    '%s fails its case when its body is removed',
    async (code, rule) => {
      const { ofManifest: _1, ofCapability: _2, ofInput: _3, ofStep: _4, ...facts } = rule
      const others = RULES.map((each) => (each === rule ? facts : each)).filter(
        (each) => each.source !== 'L' || each.code === code || each.severity !== 'info',
      )
      expect(await report(caseOf(rule.slug)!, 'svc.yaml', others)).not.toBe(
        readFileSync(join(caseOf(rule.slug)!, 'expected.txt'), 'utf8'),
      )
    },
  )
})

describeReference()

function hasBody({ ofManifest, ofCapability, ofInput, ofStep }: Rule): boolean {
  return (ofManifest ?? ofCapability ?? ofInput ?? ofStep) !== undefined
}
