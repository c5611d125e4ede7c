/** Each report as a whole: findings of every severity, with everything that a finding can have. */
import { describe, expect, it } from 'vitest'
import type { Diagnostic, Place } from '../../../src/compiler/diagnostics.js'
import { githubReport } from '../../../src/compiler/report/github.js'
import { gitlabReport } from '../../../src/compiler/report/gitlab.js'
import { jsonReport } from '../../../src/compiler/report/json.js'
import { junitReport } from '../../../src/compiler/report/junit.js'
import { fixableSentence, summarySentence, type CheckedRun } from '../../../src/compiler/report/run.js'
import { sarifReport } from '../../../src/compiler/report/sarif.js'
import { statisticsReport } from '../../../src/compiler/report/statistics.js'
import { textReport } from '../../../src/compiler/report/text.js'

const TEXT = `trust: { level: Signed }\ncapabilities:\n  a: {}\n  b:\n    one: 1\n    two: 2\n${'x'.repeat(150)} far ${'y'.repeat(150)}\n`
const SOURCES = [{ file: 'svc.yaml', text: TEXT }, { file: 'more.yaml', text: 'capabilities: {}\r\nlast: line\r\n' }] // prettier-ignore

/** From a line and column to another, of a file. */
function place(file: string, from: readonly [number, number], to: readonly [number, number]): Place {
  const { text } = SOURCES.find((each) => each.file === file) ?? { text: '' }
  const at = ([line, column]: readonly [number, number]) => ({
    line,
    column,
    offset: text.split('\n').slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0) + column - 1,
  })
  return { file, range: { start: at(from), end: at(to) } }
} // prettier-ignore

const level = place('svc.yaml', [1, 17], [1, 23])
const found = (code: string, at: Place, more: Partial<Diagnostic> = {}): Diagnostic => ({
  ...at, code, slug: `slug-of-${code.slice(-2)}`, severity: 'error', message: `Says what is wrong (${code}).`, path: 'a/b', related: [], docs: `docs/${code}`, ...more,
}) // prettier-ignore

const GROUPED = { severity: 'info', message: 'The same.' } as const
const DIAGNOSTICS: readonly Diagnostic[] = [
  found('SVC6003', place('svc.yaml', [3, 3], [3, 4]), GROUPED),
  found('SVC6003', place('svc.yaml', [4, 3], [4, 4]), GROUPED),
  found('SVC6003', place('more.yaml', [1, 1], [1, 13]), GROUPED),
  found('SVC2001', level, { fix: [{ ...level, newText: 'signed' }], suggestion: 'signed' }),
  found('SVC2002', place('svc.yaml', [4, 3], [6, 9]), { severity: 'warning', suggestion: 'another word', related: [{ ...place('more.yaml', [2, 1], [2, 5]), message: 'Here, too.' }, { ...place('gone.yaml', [9, 2], [9, 3]), message: 'And where nobody read.' }] }),
  found('SVC2002', place('svc.yaml', [5, 10], [5, 11]), { severity: 'warning', isGuess: true, fix: [{ ...place('svc.yaml', [5, 10], [5, 11]), newText: 'true' }, { ...place('more.yaml', [2, 1], [2, 5]), newText: 'first' }] }),
  found('SVC2003', place('svc.yaml', [7, 152], [7, 155])),
  found('SVC9001', place('baseline.yaml', [3, 1], [3, 2])),
] // prettier-ignore
const RUN: CheckedRun = { sources: SOURCES, diagnostics: DIAGNOSTICS }

const plain = { color: false, summaryOnly: false }
const pageOf = (slug: string) => (slug.endsWith('2') ? undefined : `https://docs.test/${slug}`)
const RULES = ['SVC2001', 'SVC2002', 'SVC6003', 'SVC7777'].map((code) => ({ code, slug: code.toLowerCase(), description: `Holds ${code}.`, severity: code === 'SVC6003' ? 'info' : 'error', section: '2.4', ...(code === 'SVC2001' && { why: 'Why.' }) }) as const) // prettier-ignore

it.each<[string, (run: CheckedRun) => string]>([
  ['text', (run) => textReport(run, plain)],
  ['color', (run) => textReport(run, { ...plain, color: true })],
  ['json', (run) => jsonReport(run, '1.2.3')],
  ['sarif', (run) => sarifReport(run, '1.2.3', pageOf, 'svc-validate/', RULES as never)],
  ['gitlab', gitlabReport],
  ['github', (run) => githubReport(run)],
  ['junit', junitReport],
  ['statistics', statisticsReport],
])('%s', async (name, report) => {
  await expect(report(RUN)).toMatchFileSnapshot(`whole/${name}.txt`)
})

it('JUnit fails what fails the run', () => {
  const heads = (failOn: CheckedRun['failOn']) => /<testsuites .*>/u.exec(junitReport({ ...RUN, ...(failOn && { failOn }) }))?.[0] // prettier-ignore
  expect([undefined, 'warning', 'info'].map((each) => heads(each as CheckedRun['failOn']))).toEqual(
    [3, 5, 8].map((failures) => `<testsuites name="svc validate" tests="8" failures="${failures}" errors="0">`),
  )
  expect(junitReport({ sources: SOURCES.slice(0, 1), diagnostics: [] })).toContain(
    '<testsuite name="svc.yaml" tests="1" failures="0" errors="0" skipped="0" time="0">\n    <testcase name="no problems" classname="svc.yaml" time="0"/>\n',
  )
})

describe('the last line', () => {
  const [info, , , error, warning] = DIAGNOSTICS as readonly [
    Diagnostic,
    Diagnostic,
    Diagnostic,
    Diagnostic,
    Diagnostic,
  ]
  it.each<[CheckedRun, string]>([
    [{ sources: [], diagnostics: [] }, '0 problems in 0 files.'],
    [{ sources: SOURCES, diagnostics: [error] }, '1 error in 2 files.'],
    [{ sources: SOURCES.slice(1), diagnostics: [error, error, warning, info, info] }, '2 errors, 1 warning, 2 infos in 1 file.'],
    [{ sources: SOURCES, diagnostics: [error, info], limit: 1 }, '1 error, 1 info in 2 files. SVC0011 truncated: showing 1 of 2; `--max-problems 0` shows all.'],
    [{ sources: SOURCES, diagnostics: [error, info], limit: 2 }, '1 error, 1 info in 2 files.'],
    [{ sources: SOURCES, diagnostics: [], unshown: { diagnostics: [warning, warning, info], failOn: 'warning' } }, '0 errors, 2 warnings, 1 info (not shown) in 2 files: failed by --fail-on warning.'],
  ])('of %#', (run, sentence) => {
    expect(summarySentence(run)).toBe(sentence)
  }) // prettier-ignore

  const fix = [{ ...level, newText: 'signed' }]
  it.each<[readonly Diagnostic[], string]>([
    [[error, { ...error, fix: undefined as never }], '[*] 1 fixable with --fix.'],
    [[{ ...error, isGuess: true }], '[?] 1 fixable with --fix --unsafe-fixes, which writes what was most likely meant.'],
    [[error, error, { ...warning, fix, isGuess: true }], '[*] 2 fixable with --fix, [?] 1 more with --unsafe-fixes.'],
    [[warning], ''],
  ])('of what can be fixed: %#', (diagnostics, sentence) => {
    expect(fixableSentence({ sources: [], diagnostics })).toBe(sentence)
  }) // prettier-ignore

  it.each([[[], 32], [[warning], 33], [[info], 32], [[error], 31]] as const)('has its color: %#', (diagnostics, color) => {
    const text = textReport({ sources: SOURCES, diagnostics }, { color: true, summaryOnly: true })
    expect(text).toMatch(new RegExp(`^\\u001B\\[${color}m`, 'u'))
  }) // prettier-ignore
})
