import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs' // prettier-ignore
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
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

const COMPILERS = ['typescript', 'typescript-5.9', 'typescript-6.0']

/** Options that name a place to write to, as each compiler lists them itself. */
async function writingOptions(): Promise<readonly string[]> {
  const { default: { optionDeclarations } } = (await import('typescript-6.0' as string)) as { default: { optionDeclarations: readonly { name: string; isFilePath?: boolean }[] } }
  const names = optionDeclarations.flatMap(({ name, isFilePath }) => (isFilePath === true ? [name] : []))
  expect(names).toEqual(expect.arrayContaining(['generateTrace', 'generateCpuProfile', 'tsBuildInfoFile', 'outDir', 'declarationDir']))
  return names.filter((name) => !['project', 'rootDir', 'baseUrl', 'outFile'].includes(name))
} // prettier-ignore

/** A project of its own, checked by a compiler, beside a folder that nothing may write to. */
function project(compiler: string, tsconfig: object) {
  const parent = mkdtempSync(join(tmpdir(), 'svc-tsconfig-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true, maxRetries: 5 }))
  const [root, other] = [join(parent, 'project'), join(parent, 'other')]
  for (const each of [join(root, 'node_modules'), other]) mkdirSync(each, { recursive: true })
  symlinkSync(resolve('node_modules', compiler), join(root, 'node_modules/typescript'), 'junction')
  writeFileSync(join(root, 'package.json'), '{}')
  writeFileSync(join(root, 'a.ts'), "export const a: number = '1'\n")
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(tsconfig))
  return { root, other, written: () => readdirSync(other, { recursive: true }) }
}

const WRONG_TYPE = { errors: ["a.ts:1:14 - error TS2322: Type 'string' is not assignable to type 'number'."] }

describe.each(COMPILERS)('under %s', (compiler) => {
  it('a check writes nothing, wherever tsconfig.json says that something be written', async () => {
    const paths = Object.fromEntries((await writingOptions()).map((name) => [name, `../other/${name}`]))
    const flags = { composite: true, incremental: true, declaration: true, declarationMap: true, sourceMap: true, noEmit: false, types: [], lib: ['es5'], skipLibCheck: true }
    const noise = { traceResolution: true, listFiles: true, listEmittedFiles: true, explainFiles: true, diagnostics: true, extendedDiagnostics: true }
    const { root, written } = project(compiler, { compilerOptions: { ...flags, ...noise, ...paths }, include: ['*.ts'] })
    expect(await checkTypes(root)).toEqual(WRONG_TYPE)
    expect(written()).toEqual([])
    // Nor where the compiler remembers nothing.
    rmSync(join(root, 'node_modules/.cache'), { recursive: true, force: true })
    writeFileSync(join(root, 'node_modules/.cache'), '')
    expect(await checkTypes(root)).toEqual(WRONG_TYPE)
    expect([written(), readdirSync(root).toSorted()]).toEqual([[], ['a.ts', 'node_modules', 'package.json', 'tsconfig.json']])
  }) // prettier-ignore

  it('no word of a file outside the project is shown', async () => {
    const { root, other } = project(compiler, { extends: '../other/secret.json', compilerOptions: { types: [], lib: ['es5'], skipLibCheck: true } })
    for (const text of ['hunter2 = 1', '{"compilerOptions":{"hunter2":true}}']) {
      writeFileSync(join(other, 'secret.json'), text)
      const checked = await checkTypes(root)
      expect(JSON.stringify(checked)).not.toContain('hunter')
      expect(checked).toMatchObject({ errors: expect.arrayContaining([expect.stringMatching(/secret\.json:1:\d+ - error TS\d+ \(in a file outside the project/u)]) })
    }
    rmSync(join(root, 'tsconfig.json'))
    symlinkSync(join(other, 'secret.json'), join(root, 'tsconfig.json'))
    writeFileSync(join(other, 'secret.json'), '{"compilerOptions":{"hunter2":true}}')
    expect(JSON.stringify(await checkTypes(root))).not.toContain('hunter')
  }) // prettier-ignore
})

describe.each(['node_modules/.cache', 'node_modules/.cache/svc-build', 'node_modules'])('%s as a link', (path) => {
  it('is not followed: nothing is written through it', async () => {
    const { root, other, written } = project('typescript', {
      compilerOptions: { types: [], lib: ['es5'], skipLibCheck: true },
      include: ['*.ts'],
    })
    if (path === 'node_modules') {
      rmSync(join(root, path), { recursive: true })
      symlinkSync(resolve('node_modules/typescript'), join(other, 'typescript'), 'junction')
    }
    mkdirSync(dirname(join(root, path)), { recursive: true })
    symlinkSync(other, join(root, path), 'junction')
    const before = written()
    expect(await checkTypes(root)).toEqual(WRONG_TYPE)
    expect(written()).toEqual(before)
  })
})

it('writes nothing through a link in the place of its memory', async () => {
  const { root, other } = project('typescript', {
    compilerOptions: { types: [], lib: ['es5'], skipLibCheck: true },
    include: ['*.ts'],
  })
  await checkTypes(root)
  const folder = join(root, 'node_modules/.cache/svc-build')
  const [file = ''] = readdirSync(folder)
  rmSync(join(folder, file))
  writeFileSync(join(other, 'mine'), 'mine')
  symlinkSync(join(other, 'mine'), join(folder, file))
  expect(await checkTypes(root)).toEqual(WRONG_TYPE)
  expect(readFileSync(join(other, 'mine'), 'utf8')).toBe('mine')
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
