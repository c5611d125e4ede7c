import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { readManifest } from '../../src/cli/validate/read-manifest.js'
import { schemaJudge } from '../../src/cli/validate/schema-judge.js'
import { check, type Checked } from '../../src/compiler/check.js'
import { KEYWORDS } from '../../src/compiler/rules/facts/schemas/keywords.js'
import type { SchemaJudge } from '../../src/compiler/judge/refusal.js'
import { RULES } from '../../src/compiler/rules/index.js'
import type { Rule } from '../../src/compiler/rules/rule.js'
import { CASES } from './cases.js'

const NOW = Date.parse('2026-11-21T00:00:00Z')
const judge = schemaJudge()

const ruleOf = (folder: string): Rule => RULES.find(({ slug }) => slug === basename(folder))!
const ERRORS = CASES.filter((folder) => ruleOf(folder).severity === 'error')

async function checked(file: string, judge_?: SchemaJudge): Promise<Checked> {
  const { sources, includeProblems } = await readManifest(file)
  return check(sources, { now: NOW, includeProblems, ...(judge_ === undefined ? {} : { judge: judge_ }) })
}

/** Whether the schema refuses what another parser reads; what that does not read has no values. */
function isRefused(file: string): boolean {
  try {
    return !judge.manifest(parse(readFileSync(file, 'utf8'), { logLevel: 'silent', maxAliasCount: -1 }))
  } catch {
    return false
  }
}

it.each(RULES.map((rule) => [rule.code, rule] as const))('%s has a part of the schema, or says why not', (_, rule) => {
  const { severity, schema, whyNot } = rule
  expect((schema ?? whyNot) !== undefined).toBe(severity === 'error')
  if (whyNot !== undefined) expect(whyNot).toMatch(/^[A-Z].{20,}\.$/u)
})

it.each(ERRORS)('%s: the schema refuses it, or its rule says why not', (folder) => {
  const { schema, whyNot } = ruleOf(folder)
  const refused = isRefused(join(folder, 'svc.yaml'))
  expect(refused || whyNot !== undefined).toBe(true)
  if (refused) expect((schema ?? whyNot) !== undefined).toBe(true)
})

it('refuses 136 of the 218 cases of errors, and none of the others', () => {
  const refused = (folder: string): boolean => isRefused(join(folder, 'svc.yaml'))
  expect([ERRORS.filter(refused).length, ERRORS.length]).toEqual([136, 218])
  expect(CASES.filter((folder) => !ERRORS.includes(folder)).filter(refused)).toEqual([])
})

const GOOD = [
  ...CASES.map((folder) => join(folder, 'good.yaml')),
  ...readdirSync('examples', { recursive: true, encoding: 'utf8' })
    .filter((name) => basename(name) === 'svc.yaml' && !name.includes('node_modules'))
    .map((name) => join('examples', name)),
]

it.each(GOOD)('%s: the schema takes what the rules take', async (file) => {
  expect(isRefused(file)).toBe(false)
  expect((await checked(file, judge)).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
})

const WRITTEN = CASES.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => ['svc.yaml', 'conditions.yaml', 'silent.yaml'].includes(name))
    .map((name) => join(folder, name)),
)

it.each(WRITTEN)('%s: an error explains what the schema refuses', async (file) => {
  const { diagnostics } = await checked(file, judge)
  expect(diagnostics.filter(({ code }) => code === 'SVC0190')).toEqual([])
  if (isRefused(file)) expect(diagnostics.map(({ severity }) => severity)).toContain('error')
})

it('of the parts each is of its rule: they name it in the published file', () => {
  const text = readFileSync('schemas/manifest.schema.json', 'utf8')
  const own = RULES.filter(({ schema }) => schema !== undefined && schema !== 'table')
  expect(own.filter(({ code }) => !text.includes(`"$comment": "${code}: `))).toEqual([])
})

it.each([...KEYWORDS.keys()])('a member named %s is no keyword, and lists of scalars may be distinct', (name) => {
  const manifest = parse(readFileSync('examples/minimal/svc.yaml', 'utf8')) as {
    capabilities: { get_status: { inputs: object[] } }
  }
  const member = { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] }
  manifest.capabilities.get_status.inputs = [
    { name: 'item', type: 'object', required: false, description: 'An item.', 'x-schema': member },
    { name: 'tags', type: 'array', required: false, 'x-schema': { type: 'array', items: { type: 'string' }, uniqueItems: true } },
  ]
  expect(judge.manifest(manifest)).toBe(true)
})
