import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { textReport } from '../../src/compiler/report/text.js'

const minimal = readFileSync('examples/minimal/svc.yaml', 'utf8')
const capability = minimal.slice(minimal.indexOf('  get_status:'))
const found = (text: string) =>
  check([{ file: 'svc.yaml', text }]).diagnostics.map(
    ({ range, code, message }) => `${range.start.line} ${code} ${message}`,
  )

const TRUE =
  '{ required: true, grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: 60, max_uses: 1 } }'

it.each([
  ['an unknown field of the root behind a block', '$', 'webhooks:\n  url: https://example.com\n', '31 SVC0202 A manifest has no field `webhooks`.'],
  ['an empty composition', '    side_effect:', '    kind: composed\n    composition: {}\n    side_effect:', '17 SVC0201 The composition is empty; it needs `authority_boundary`, `steps`, `input_mapping`, `output_mapping`, `failure_policy` and `audit_policy`.'],
  ['a `---` in the middle', '    side_effect:', '---\n    side_effect:', '16 SVC0107 This `---` ends the document, and more of it follows; remove the line.'],
  ['a template', 'contract_version: 1.0.0', 'contract_version: {{ version }}', '15 SVC0101 This is a template, which svc does not fill in; write what it stands for, or fill it in first.'],
  ['a zero-width space in a key', 'contract_version', 'contract\u200B_version', '15 SVC0202 `get_status` has no field `contract\u200B_version`. Did you mean `contract_version`? The text hides an invisible character, U+200B; remove it.'],
  ['an octal number for a text', 'name: Minimal', 'name: 0755', '6 SVC0114 `0755` is the number 755, where text is expected; write "0755".'],
] as const)('finds %s, once', (_, find, wrong, expected) => {
  expect(found(find === '$' ? minimal + wrong : minimal.replace(find, wrong))).toEqual([expected])
}) // prettier-ignore

it('finds a misspelt alias, once, and takes its anchor for used', () => {
  const text = minimal.replace('[minimal.read]', '&scopes [minimal.read]') + capability.replace('get_status', 'get_other').replace('[minimal.read]', '*scope').replace('Report the', 'Report on another')
  expect(found(text)).toEqual(['35 SVC0108 The alias `*scope` has no anchor before it. Did you mean `*scopes`?'])
}) // prettier-ignore

it('says which word is meant by an approval that is required: true', () => {
  const text = minimal.replace('    side_effect:', `    approval: ${TRUE}\n    side_effect:`).replace('type: read', 'type: write')
  const { diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'minimal' })
  expect(diagnostics.map(({ message, suggestion }) => [message, suggestion])).toEqual([
    ['`required` must be one of always, handler, but is true. Did you mean `always`?', 'always'],
  ])
  expect(diagnostics[0]!.fix?.map(({ newText }) => newText)).toEqual(['always'])
}) // prettier-ignore

it('writes no comment into JSON: the first line that editors read is for YAML', () => {
  const withoutLine = minimal.slice(minimal.indexOf('\n') + 1)
  const codesOf = (file: string, text: string) => check([{ file, text }], { enable: ['SVC6110'] }).diagnostics.map(({ code }) => code)
  expect(codesOf('svc.yaml', withoutLine)).toEqual(['SVC6110'])
  expect(codesOf('svc.json', JSON.stringify(load(minimal), null, 2))).toEqual([])
}) // prettier-ignore

/** A manifest of several capabilities that change something, and say nothing of how that is verified or audited. */
const careless = (count: number): string =>
  minimal.slice(0, minimal.indexOf('  get_status:')) +
  Array.from({ length: count }, (_, index) => `  write_${'abcdefgh'[index]}:
    description: Writes the record ${index} of the store, and returns it.
    side_effect: { type: write }
    contract_version: 1.0.0
    minimum_scope: [minimal.write]
    inputs: [{ name: record, type: string, description: What is written. }]
    output: { type: record, fields: [record] }
`).join('') // prettier-ignore

it('reports the order of fields once for a file, and prints once what all capabilities lack', () => {
  const sources = [{ file: 'svc.yaml', text: careless(6) }]
  const { diagnostics } = check(sources, { enable: ['SVC6109', 'SVC6003', 'SVC6004'] })
  expect(diagnostics.filter(({ code }) => code === 'SVC6109')).toHaveLength(1)
  const text = textReport({ sources, diagnostics }, { color: false, summaryOnly: false })
  for (const code of ['SVC6003', 'SVC6004']) {
    const [block, ...others] = text.split('\n\n').filter((each) => each.includes(` ${code} `))
    expect(others).toEqual([])
    expect(block).toMatch(/also at \d+:\d+(?:, \d+:\d+){4}$/u)
  }
})

it.each(['mapping-required-missing', 'mapping-optional-to-required'])('takes no input for required whose `required` cannot be read: %s', (slug) => {
  const text = readFileSync(`test/rules/composition/${slug}/svc.yaml`, 'utf8').replace('A word of the name. }', 'A word of the name., required: nope }')
  const { diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'minimal' })
  expect(diagnostics.map(({ message }) => message)).toContain('`required` must be true or false, but is the text "nope".')
  expect(diagnostics.map(({ code }) => code)).not.toContain(slug === 'mapping-required-missing' ? 'SVC4103' : 'SVC4112')
}) // prettier-ignore
