/** Which findings are printed, where, and which exit code they give: by the options of `svc validate`. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PLAINLY, type ValidateOptions } from '../../src/cli/validate/options.js'
import { printReports, reportInput } from '../../src/cli/validate/tell.js'
import { InputError } from '../../src/cli/shared/errors/cli-error.js'
import type { Diagnostic, Severity } from '../../src/compiler/diagnostics.js'

const home = process.cwd()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-printed-'))
  process.chdir(folder)
  writeFileSync('svc.yaml', 'a: b\n')
})
afterEach(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

const start = { line: 1, column: 1, offset: 0 }
const found = (severity: Severity, code = 'SVC6101', path = 'a'): Diagnostic => ({
  code, slug: 'slug', severity, message: 'Says it.', path, file: 'svc.yaml', range: { start, end: start }, related: [], docs: 'docs/a.md',
}) // prettier-ignore
const ALL = [found('error'), found('warning'), found('info')]

async function printedOf(diagnostics: readonly Diagnostic[], more: Partial<ValidateOptions> = {}) {
  let text = ''
  const options = { ...PLAINLY, color: false, ...more, print: (part: string) => void (text += part) }
  const code = await printReports({ sources: [{ file: 'svc.yaml', text: 'a: b\n' }], diagnostics }, options, [])
  return { code, text, shown: text.split('\n').flatMap((line) => /^svc\.yaml:1:1 (\w+)/u.exec(line)?.[1] ?? []) }
}

it.each<[Partial<ValidateOptions>, readonly Diagnostic[], number, readonly string[]]>([
  [{}, [], 0, []],
  [{}, ALL, 1, ['error', 'warning', 'info']],
  [{}, ALL.slice(1), 0, ['warning', 'info']],
  [{ failOn: 'warning' }, ALL.slice(1), 1, ['warning', 'info']],
  [{ failOn: 'warning' }, ALL.slice(2), 0, ['info']],
  [{ failOn: 'info' }, ALL.slice(2), 1, ['info']],
  [{ quiet: true }, ALL, 1, ['error']],
  [{ quiet: true }, ALL.slice(1), 0, []],
  [{ quiet: true, failOn: 'warning' }, ALL.slice(1), 1, []],
  [{ maxProblems: 1 }, ALL, 1, ['error']],
  [{ maxProblems: 0 }, ALL, 1, ['error', 'warning', 'info']],
  [{}, [found('error', 'SVC0012')], 3, ['error']],
  [{}, [found('info', 'SVC0012')], 3, ['info']],
])('%j', async (options, diagnostics, code, shown) => {
  expect(await printedOf(diagnostics, options)).toMatchObject({ code, shown })
})

it('shows 100 findings unasked, and all as data', async () => {
  const many = Array.from({ length: 101 }, (_, n) => found('error', 'SVC6101', `a${n}`))
  expect((await printedOf(many.slice(1))).shown.length).toBe(100)
  expect((await printedOf(many)).shown.length).toBe(100)
  expect((await printedOf(many, { maxProblems: 0 })).shown.length).toBe(101)
  const { text } = await printedOf(many, { format: 'json' })
  expect((JSON.parse(text) as { diagnostics: unknown[] }).diagnostics.length).toBe(101)
})

it('counts by rule in the place of text, and never of data', async () => {
  expect((await printedOf(ALL, { statistics: true })).text).toContain('SVC6101')
  expect((await printedOf(ALL, { statistics: true })).shown).toEqual([])
  expect(JSON.parse((await printedOf(ALL, { statistics: true, format: 'json' })).text)).toMatchObject({ version: 2 })
})

it('says what a failed run does not show', async () => {
  const { text } = await printedOf(ALL.slice(1), { quiet: true, failOn: 'warning' })
  expect(text).toBe('0 errors, 1 warning, 1 info (not shown) in 1 file: failed by --fail-on warning.\n')
})

it('writes, compares with and prunes a baseline', async () => {
  const baseline = 'baseline.json'
  const kept = () => (JSON.parse(readFileSync(baseline, 'utf8')) as { findings: { path: string }[] }).findings.map(({ path }) => path) // prettier-ignore
  const [one, two] = [found('error', 'SVC6101', 'one'), found('error', 'SVC6101', 'two')]
  expect(await printedOf([one, two], { baseline, writeBaseline: true })).toMatchObject({ code: 0, shown: [] })
  expect(kept()).toEqual(['one', 'two'])
  expect(await printedOf([one], { baseline })).toMatchObject({ text: expect.stringContaining('holds 1 finding that no longer occurs') }) // prettier-ignore
  expect(kept()).toEqual(['one', 'two'])
  expect((await printedOf([one], { baseline, pruneBaseline: true })).text).toBe('0 problems in 1 file.\n')
  expect(kept()).toEqual(['one'])
  expect(await printedOf([one, two], { baseline })).toMatchObject({ code: 1, shown: ['error'] })
  await expect(printedOf([one], { baseline: 'svc.yaml', writeBaseline: true })).rejects.toThrow('`svc.yaml` is one of the files that were checked') // prettier-ignore
  expect(readFileSync('svc.yaml', 'utf8')).toBe('a: b\n')
})

it('reports what could not be read as data and to files, and leaves text to the error', async () => {
  const error = new InputError({ code: 'SVC0002', slug: 'unreadable', file: 'none.yaml', message: 'cannot read it.' })
  let text = ''
  const print = (part: string): void => void (text += part)
  await reportInput(error, { ...PLAINLY, print }, [{ format: 'json', file: 'deep/a.json' }])
  expect(text).toBe('')
  expect(JSON.parse(readFileSync('deep/a.json', 'utf8'))).toMatchObject({
    summary: { errors: 1 },
    diagnostics: [{ code: 'SVC0002', file: 'none.yaml', severity: 'error', message: 'cannot read it.' }],
  })
  await reportInput(error, { ...PLAINLY, format: 'github', print }, [])
  expect(text).toContain('::error ')
  expect(existsSync('none.yaml')).toBe(false)
})
