import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'

const HEAD = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
include: [more.yaml]
`
const CAPABILITY = (name: string, steps = ''): string => `capabilities:
  ${name}:
    description: Looks an account up by its id and returns it.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
${steps}`
const checked = (root: string, ...fragments: readonly string[]) =>
  check([{ file: 'svc.yaml', text: root }, ...fragments.map((text, at) => ({ file: `${at}.yaml`, text }))], {
    preset: 'minimal',
  })
const found = (root: string, ...fragments: readonly string[]) =>
  checked(root, ...fragments).diagnostics.map(
    ({ file, range, code, message }) => `${file}:${range.start.line} ${code} ${message}`,
  )

it.each([
  ['no capabilities', ''],
  ['empty ones', 'capabilities: {}\n'],
  ['the key alone', 'capabilities:\n'],
])('takes all capabilities from fragments beside %s', (_, own) => {
  const { diagnostics, manifest } = checked(HEAD + own, CAPABILITY('lookup'), CAPABILITY('show'))
  expect(diagnostics).toEqual([])
  expect(Object.keys(manifest!.capabilities)).toEqual(['lookup', 'show'])
})

it('still knows which names are declared, and which are declared twice', () => {
  expect(found(HEAD, CAPABILITY('lookup'), CAPABILITY('show', '    refresh_via: [lokup]\n'))).toEqual([
    '1.yaml:9 SVC3007 `refresh_via` names `lokup`, which this manifest does not declare. Did you mean `lookup`?',
  ])
  expect(found(HEAD, CAPABILITY('lookup'), CAPABILITY('lookup'))).toEqual([
    '1.yaml:2 SVC1005 The capability `lookup` is declared twice; rename or remove one.',
  ])
})

it('shows beside a name that is declared twice where it is declared first', () => {
  expect(checked(HEAD, CAPABILITY('lookup'), `# more\n${CAPABILITY('lookup')}`).diagnostics).toMatchObject([
    {
      file: '1.yaml',
      range: { start: { line: 3 } },
      related: [{ file: '0.yaml', range: { start: { line: 2 } }, message: 'It is declared here first.' }],
    },
  ])
})

it('wants a capability somewhere', () => {
  expect(found(HEAD)).toEqual([
    'svc.yaml:4 SVC1002 Neither the manifest nor a file that it includes declares a capability.',
  ])
  expect(found(HEAD.replace('include: [more.yaml]\n', ''))).toEqual([
    'svc.yaml:1 SVC1001 The manifest lacks `capabilities`. Capability name -> declaration.',
  ])
})

it('names all blocks at once that stand in no file that is included', () => {
  expect(found('include: [more.yaml]\n', CAPABILITY('lookup'))).toEqual([
    'svc.yaml:1 SVC0201 The manifest lacks `manifest_metadata`, `service_identity` and `trust`. Write them here: only capabilities and `x-schemas` come from files that it includes.',
  ])
})

it('takes shared schemas from fragments, and finds what is declared twice or refers to nothing', () => {
  const fragment = (name: string, refersTo: string): string =>
    `${CAPABILITY(name).replace('fields: [account]', `fields: [{ name: account, type: object, x-schema: { $ref: '#/x-schemas/${refersTo}' } }]`)}x-schemas:
  ${name === 'lookup' ? 'Account' : 'Other'}: { type: object, properties: { id: { type: string } } }
`
  const { diagnostics, manifest } = checked(HEAD, fragment('lookup', 'Other'), fragment('show', 'Account'))
  expect(diagnostics).toEqual([])
  expect(Object.keys(manifest!.extensions!['x-schemas'] as object)).toEqual(['Account', 'Other'])
  expect(found(`${HEAD}x-schemas: { Account: {} }\n`, fragment('lookup', 'Account'))).toEqual([
    '0.yaml:10 SVC1005 The schema `Account` is declared twice; rename or remove one.',
  ])
  expect(found(HEAD, fragment('lookup', 'Nothing'))).toEqual([
    '0.yaml:8 SVC2804 There is no `Nothing` under `x-schemas`.',
  ])
})
