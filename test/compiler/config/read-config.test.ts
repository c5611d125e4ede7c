/** What a configuration may say: where a build may write, and which rules may be weighed. */
import { expect, it } from 'vitest'
import { readConfig } from '../../../src/compiler/config/read-config.js'

const messagesOf = (text: string): readonly string[] =>
  readConfig({ file: 'svc.config.yaml', text }).diagnostics.map(({ code, range, message }) => `${code} ${range.start.line}:${range.start.column} ${message}`) // prettier-ignore
const build = (generated: string): readonly string[] =>
  messagesOf(`build: { generated: ${JSON.stringify(generated)} }\n`)

it('is taken where all of it is known', () => {
  const text = 'validate: { preset: strict, enable: [SVC6103], severity: { SVC6103: off, SVC6003: error }, ignore: [a] }\nbuild: { generated: out/code, dist: out/dist }\n'
  expect(JSON.parse(JSON.stringify(readConfig({ file: 'svc.config.yaml', text })))).toEqual({
    config: { validate: { preset: 'strict', enable: ['SVC6103'], severity: { SVC6103: 'off', SVC6003: 'error' }, ignore: ['a'] }, build: { generated: 'out/code', dist: 'out/dist' } },
    diagnostics: [],
  })
  expect(messagesOf('{}\n')).toEqual([])
}) // prettier-ignore

it.each(['generated', 'code', 'a-b_c.d', 'out/code', 'my/src', 'src/generated', 'keys2', 'data/generated'])('a build may write to %s', (folder) => {
  expect(build(folder)).toEqual([])
}) // prettier-ignore

it.each(['.', '..', '../out', '/out', 'out/', 'out//code', './out', '.hidden', 'out/.hidden', 'a\\b', 'C:/out', 'a b'])('a build may not write to %j', (folder) => {
  expect(build(folder)).toEqual([expect.stringMatching(/^SVC0004 1:21 .*is no folder inside the project, such as `generated` or `out\/generated`\.$/u)])
}) // prettier-ignore

it.each(['src', 'src/handlers', 'data', 'keys', 'node_modules', 'Keys', 'node_modules/a', 'src/handlers/a', 'SRC/Handlers/a'])('a build may not write to %s, which is of others', (folder) => {
  expect(build(folder)).toEqual([`SVC0004 1:21 \`${folder}\` is not a folder for generated files; choose one of their own.`])
}) // prettier-ignore

it.each([
  ['{ generated: dist }', 21],
  ['{ generated: dist/a }', 21],
  ['{ dist: generated }', 16],
  ['{ dist: generated/a }', 16],
  ['{ generated: a/b, dist: a }', 32],
  ['{ generated: A, dist: a/b }', 30],
])('its two folders are apart: not %s', (folders, column) => {
  expect(messagesOf(`build: ${folders}\n`)).toEqual([
    `SVC0004 1:${column} One folder holds the other; keep \`generated\` and \`dist\` apart.`,
  ])
})

it('a folder of `dist` is judged as that of `generated`', () => {
  expect(messagesOf('build: { dist: ../a }\n')).toEqual([
    'SVC0004 1:16 `../a` is no folder inside the project, such as `dist` or `out/dist`.',
  ])
})

it.each([
  ['validate: { enable: [SVC6103, SVC2403] }', ['SVC0004 1:31 SVC2403 is no lint: it is always checked, and its severity is fixed.']],
  ['validate: { severity: { SVC2101: off } }', ['SVC0004 1:25 SVC2101 is no lint: it is always checked, and its severity is fixed.']],
  ['validate: { enable: [SVC6l03] }', ['SVC0004 1:22 `SVC6l03` is no rule; `svc rules` lists them. Did you mean `SVC6003`?']],
  ['validate: { enable: [other] }', ['SVC0004 1:22 `other` is no rule; `svc rules` lists them.']],
  ['', ['SVC0004 1:1 The file has no document; write a configuration in it, or delete it.']],
])('%j', (text, messages) => {
  expect(messagesOf(text)).toEqual(messages)
}) // prettier-ignore

it('has no extensions: what svc does not read is a mistake', () => {
  expect(messagesOf('x-mine: 1\n')).toEqual([expect.stringMatching(/^SVC\d{4} 1:1 .*no field `x-mine`/u)])
})
