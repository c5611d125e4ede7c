import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { fieldExplanation } from '../../src/cli/explain/field.js'
import { rulesOfFields } from '../../src/cli/explain/rules-of-fields.js'
import { readManifest } from '../../src/cli/validate/read-manifest.js'
import { check } from '../../src/compiler/check.js'
import { hoverAt } from '../../src/compiler/lsp/hover.js'
import { readDocument } from '../../src/compiler/parse/read-document.js'
import { blocksOf, fieldOfPath } from '../../src/compiler/report/fields/blocks.js'
import { blockPage, fieldSection, withoutLinks } from '../../src/compiler/report/fields/field-page.js'
import { FIELD_TEXTS, fieldText } from '../../src/compiler/report/fields/texts.js'
import { SCHEMA_PARTS } from '../../src/compiler/rules/schema-parts.js'
import { manifestSchema } from '../../src/compiler/shape/json-schema.js'
import { RULES, ruleOf } from '../../src/compiler/rules/index.js'
import type { Field } from '../../src/compiler/shape/field.js'
import { schemaTrouble } from '../schema-trouble.js'
import { CASES } from '../rules/cases.js'
import { BUY } from './buy.js'

interface SchemaOfBlock {
  readonly properties: { readonly [field: string]: object }
}

/** The reference of the manifest is made from the table of fields; `UPDATE=1 npx vitest run test/reference -u` writes it anew. */
const BLOCKS = blocksOf()
const FILE = 'schemas/field-rules.json'

/** `block.field` -> codes of rules whose own case is found there. */
async function rulesFoundInCases(): Promise<{ readonly [field: string]: readonly string[] }> {
  const found = new Map<string, Set<string>>()
  for (const folder of CASES) {
    const rule = RULES.find(({ slug }) => slug === basename(folder))!
    const { sources, includeProblems } = await readManifest(join(folder, 'svc.yaml'))
    const options = { includeProblems, enable: [rule.code], now: Date.parse('2026-11-21T00:00:00Z') }
    for (const { code, path } of check(sources, options).diagnostics) {
      const place = code === rule.code ? fieldOfPath(path) : undefined
      if (place === undefined) continue
      const name = `${place.block}.${place.field}`
      found.set(name, (found.get(name) ?? new Set()).add(code))
    }
  }
  return Object.fromEntries([...found].toSorted().map(([name, codes]) => [name, [...codes].toSorted()]))
}

describe('the reference of the manifest', () => {
  it('knows the rules of each field by their cases', async () => {
    const text = `${JSON.stringify(await rulesFoundInCases(), null, 2)}\n`
    if (process.env['UPDATE'] === '1') writeFileSync(FILE, text)
    expect(readFileSync(FILE, 'utf8')).toBe(text)
  })

  it('says of each field, and of no other, what it does at run time', () => {
    const names = BLOCKS.flatMap(({ shape }) => Object.keys(shape.fields).map((field) => `${shape.title}.${field}`))
    const told = Object.entries(FIELD_TEXTS).flatMap(([block, fields]) => Object.keys(fields).map((field) => `${block}.${field}`))
    expect(told.toSorted()).toEqual(names.toSorted())
  }) // prettier-ignore

  it('says of each word that a field takes what happens, and of no other', () => {
    const wordsOf = (field: Field): readonly string[] =>
      field.kind === 'word' ? field.words : field.kind === 'list' ? wordsOf(field.items) : field.kind === 'map' ? wordsOf(field.values) : field.kind === 'oneOf' && field.scalar !== undefined ? wordsOf(field.scalar) : []
    for (const { shape } of BLOCKS)
      for (const [name, field] of Object.entries(shape.fields)) {
        const { words = {} } = fieldText(shape.title, name)!
        if (wordsOf(field).length > 0) expect([name, Object.keys(words).toSorted()]).toEqual([name, [...wordsOf(field)].toSorted()])
      }
  }) // prettier-ignore

  it('shows of each field an example that the schema of the manifest takes, and a default where it may be left out', () => {
    const schema = manifestSchema(SCHEMA_PARTS) as unknown as SchemaOfBlock & { readonly definitions: { readonly [title: string]: SchemaOfBlock } }
    const schemas: { [field: string]: object } = {}
    const values: { [field: string]: unknown } = {}
    for (const { shape } of BLOCKS)
      for (const [name, field] of Object.entries(shape.fields)) {
        const place = `${shape.title}.${name}`
        const section = fieldSection(shape, name, () => [])
        const [, text = ''] = /^- \*\*Example\*\*: `(.*)`$/mu.exec(section) ?? []
        const example = parse(text) as { readonly [name: string]: unknown } | null
        expect([place, Object.keys(example ?? {})]).toEqual([place, [name]])
        if (field.required !== true) expect(section).toContain('\n- **Default**: ')
        const { properties } = shape.title === 'manifest' ? schema : schema.definitions[shape.title.replaceAll(' ', '_')]!
        schemas[place] = properties[name]!
        values[place] = example![name]
      }
    const whole = { $schema: 'http://json-schema.org/draft-07/schema#', definitions: schema.definitions, type: 'object', properties: schemas }
    expect(schemaTrouble(whole, values, { strict: false })).toEqual([])
  }) // prettier-ignore

  it.each(BLOCKS.map((block) => [block.slug, block] as const))('has a page of %s', async (slug, block) => {
    const rules = JSON.parse(readFileSync(FILE, 'utf8')) as { readonly [field: string]: readonly string[] }
    const page = blockPage(block, (title, field) => (rules[`${title}.${field}`] ?? []).map(ruleOf))
    await expect(`${page}\n`).toMatchFileSnapshot(`../../docs/reference/manifest/${slug}.md`)
  })

  it('says what hover and svc explain say, rules included', async () => {
    const text = 'capabilities:\n  a:\n    cost:\n      certainty: fixed\n    approval:\n      grant_policy:\n        allowed_grant_types: [one_time]\n    x-exclusive-by: [a]\n    requires_principal: human\n'
    const root = readDocument({ file: 'svc.yaml', text, base: 0 }, () => undefined)!
    for (const [block, name] of [['cost', 'certainty'], ['grant policy', 'allowed_grant_types'], ['capability', 'x-exclusive-by'], ['capability', 'requires_principal']] as const) {
      const { shape } = BLOCKS.find((each) => each.shape.title === block)!
      const section = withoutLinks(fieldSection(shape, name, rulesOfFields(ruleOf)))
      expect(section).toContain('- **At run time**: ')
      expect(hoverAt([root], text.indexOf(name), [], rulesOfFields(ruleOf))).toBe(`**${name}**\n\n${section}`)
      expect(await fieldExplanation(name)).toContain(`.${name}\n\n${section}\n`)
    }
  }) // prettier-ignore

  it('shows a composition that the rules find nothing in', () => {
    expect(check([{ file: 'svc.yaml', text: BUY }]).diagnostics).toEqual([])
  })

  it('has an index', async () => {
    const lines = BLOCKS.map(({ slug, shape, path }) => `| [${shape.title}](${slug}.md) | ${path === '' ? 'the file itself' : `\`${path}\``} |`)
    const text = ['# Reference of the manifest', '', 'Each object that `svc.yaml` may hold: its fields, what they mean, and what they do at run time. `svc explain <field>` prints the same, offline.', '', '| block | stands at |', '| --- | --- |', ...lines, ''].join('\n')
    await expect(text).toMatchFileSnapshot('../../docs/reference/manifest/README.md')
  }) // prettier-ignore
})
