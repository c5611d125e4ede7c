import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkTypes, typeErrorsText } from '../../src/cli/build/type-errors.js'
import { svc } from './command.js'

const WRONG = "export const state: number = 'up'\n"
const ERROR = "src/wrong.ts:1:14 - error TS2322: Type 'string' is not assignable to type 'number'."

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-types-'))
  cpSync('examples/minimal', folder, { recursive: true })
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  for (const name of ['typescript', '@types/node'])
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name), 'junction')
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

const wrong = (text = WRONG) => writeFileSync(join(folder, 'src/wrong.ts'), text)
const right = () => rmSync(join(folder, 'src/wrong.ts'), { force: true })

it('refuses code with wrong types and names the line', async () => {
  wrong()
  const { status, stdout, stderr } = await svc(['build'], { cwd: folder })
  expect({ status, stdout }).toEqual({ status: 1, stdout: `${ERROR}\n` })
  expect(stderr).toContain(
    'The types of your code have an error. dist/ stays as it was. Fix the code and run: svc build',
  )
})

it('keeps data apart from errors with --json', async () => {
  wrong()
  const { status, stdout, stderr } = await svc(['build', '--json'], { cwd: folder })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain(ERROR)
})

it('checks what --no-types has left unchecked, though nothing has changed', async () => {
  wrong()
  expect((await svc(['build', '--no-types'], { cwd: folder })).status).toBe(0)
  expect((await svc(['build'], { cwd: folder })).status).toBe(1)
  right()
  expect((await svc(['build'], { cwd: folder })).status).toBe(0)
  expect((await svc(['build'], { cwd: folder })).stderr).toContain('nothing has changed since the last build')
})

it('shows no control characters of the code', async () => {
  wrong("export const state: 'a\u001b[31m' = 'b'\n")
  expect(await checkTypes(folder)).toEqual({ errors: [expect.not.stringContaining('\u001b')] })
  right()
})

it('says what to install where there is no compiler', async () => {
  rmSync(join(folder, 'node_modules/typescript'))
  appendFileSync(join(folder, 'src/handlers/index.ts'), '\n')
  const { status, stderr } = await svc(['build'], { cwd: folder })
  expect(status).toBe(0)
  expect(stderr).toContain(
    'note: the types of your code were not checked: typescript is not installed here. Run: npm install --save-dev typescript',
  )
})

it('checks nothing without tsconfig.json', async () => {
  rmSync(join(folder, 'tsconfig.json'))
  expect(await checkTypes(folder)).toEqual({ errors: [] })
})

it('shows twenty errors and counts the rest', () => {
  const errors = Array.from({ length: 22 }, (_, index) => `a.ts:${index}:1 - error`)
  expect(typeErrorsText(errors).split('\n').slice(-2)).toEqual(['a.ts:19:1 - error', 'and 2 more: npx tsc --noEmit'])
})
