import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { build } from '../../src/cli/build/run.js'
import { isDone } from '../../src/cli/build/unchanged.js'
import { init } from '../../src/cli/init/run.js'

const CAPABILITY = `  describe_city:
    description: Describe a city of the network, in a sentence.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [travel.search]
    inputs: []
    output: { type: description, fields: [{ name: text, type: string }] }
`
const LINE = "export { describeCity } from './describe_city.js'"

let folder: string
beforeEach(async () => {
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true)
  folder = join(mkdtempSync(join(tmpdir(), 'svc-handler-')), 'travel')
  await init(folder, { yes: true, template: 'travel' })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
  await build(folder, { check: false, force: false })
}, 60_000)
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(join(folder, '..'), { recursive: true, force: true, maxRetries: 20 })
})

const list = (): string => join(folder, 'src/handlers/index.ts')
const rebuilt = () => build(folder, { check: false, force: false })

it('the list of handlers gains the line of a new capability, in its own style, and once', async () => {
  const before = readFileSync(list(), 'utf8').trimEnd().split('\n').map((line) => `${line};`).join('\r\n') // prettier-ignore
  writeFileSync(list(), before)
  appendFileSync(join(folder, 'svc.yaml'), CAPABILITY)
  expect(await rebuilt()).toBe(0)
  await rebuilt()
  expect(readFileSync(list(), 'utf8')).toBe(`${before}\r\n${LINE};\r\n`)
}, 60_000)

it('a draft that was deleted is made again', async () => {
  appendFileSync(join(folder, 'svc.yaml'), CAPABILITY)
  await rebuilt()
  const draft = join(folder, 'src/handlers/describe_city.ts')
  const text = readFileSync(draft, 'utf8')
  rmSync(draft)
  expect(await isDone(folder)).toBe(false)
  await rebuilt()
  expect(readFileSync(draft, 'utf8')).toBe(text)
  expect(readFileSync(list(), 'utf8').split(LINE).length).toBe(2)
}, 60_000)
