/** Each report of a comparison as a whole: changes of every effect, accepted or not. */
import { expect, it } from 'vitest'
import { findingsOf, ruleOfKind } from '../../../src/compiler/diff/report/findings.js'
import { jsonDiff } from '../../../src/compiler/diff/report/json.js'
import { markdownDiff } from '../../../src/compiler/diff/report/markdown.js'
import type { DiffRun, ReportedChange } from '../../../src/compiler/diff/report/run.js'
import { textDiff } from '../../../src/compiler/diff/report/text.js'

const placeAt = (line: number) => ({
  file: 'svc.yaml',
  range: { start: { line, column: 3, offset: 9 }, end: { line, column: 8, offset: 14 } },
})
const change = (code: string, effect: ReportedChange['effect'], more: Partial<ReportedChange> = {}): ReportedChange => ({
  ...placeAt(7), code, slug: `slug-of-${code.slice(-2)}`, effect, weakens: effect === 'weakened', bump: 'major', at: ['capabilities', 'a'], message: `It is otherwise (${code}).`, ...more,
} as ReportedChange) // prettier-ignore

const RUN: DiffRun = {
  before: 'v1.0.0',
  after: 'svc.yaml',
  sources: [],
  failOn: ['breaking', 'weakened'],
  changes: [
    change('SVC9012', 'compatible', { bump: 'minor' }),
    change('SVC9072', 'weakened', { bump: undefined as never }),
    change('SVC9011', 'breaking', { old: placeAt(3) } as never),
    change('SVC9161', 'unbumped'),
    change('SVC9112', 'breaking', { weakens: true }),
    change('SVC9013', 'breaking', { accepted: 'Nobody used it.' }),
  ],
}

it.each<[string, (run: DiffRun) => string]>([
  ['text', (run) => textDiff(run, false)],
  ['color', (run) => textDiff(run, true)],
  ['json', jsonDiff],
  ['markdown', markdownDiff],
])('%s', async (name, report) => {
  await expect(report(RUN)).toMatchFileSnapshot(`reports/${name}.txt`)
})

it('says where nothing changed, and fails by what it is told to fail by', () => {
  expect(textDiff({ ...RUN, changes: [] }, true)).toBe('\u001B[32mNo changes.\u001B[39m\n')
  const failing = (failOn: DiffRun['failOn']) => findingsOf({ ...RUN, failOn }).map(({ code, severity }) => `${code} ${severity}`) // prettier-ignore
  expect(failing(['unbumped'])).toEqual(['SVC9011 warning', 'SVC9112 warning', 'SVC9013 info', 'SVC9072 warning', 'SVC9161 error', 'SVC9012 info']) // prettier-ignore
  expect(failing(['weakened'])).toEqual(['SVC9011 warning', 'SVC9112 error', 'SVC9013 info', 'SVC9072 error', 'SVC9161 warning', 'SVC9012 info']) // prettier-ignore
  expect(failing(['breaking'])).toEqual(['SVC9011 error', 'SVC9112 error', 'SVC9013 info', 'SVC9072 warning', 'SVC9161 warning', 'SVC9012 info']) // prettier-ignore
})

it('gives findings to the formats of other tools', () => {
  expect(findingsOf(RUN)[0]).toEqual({
    code: 'SVC9011',
    slug: 'slug-of-11',
    severity: 'error',
    message: 'It is otherwise (SVC9011).',
    path: 'capabilities/a',
    ...placeAt(7),
    related: [],
    docs: 'docs/guides/change.md',
  })
  expect(findingsOf(RUN)[2]!.message).toBe('It is otherwise (SVC9013). Accepted: Nobody used it.')
  expect([ruleOfKind('SVC9013'), ruleOfKind('SVC9012').severity]).toEqual([
    { code: 'SVC9013', slug: 'input-removed', description: 'Unknown parameters are refused.', severity: 'error' },
    'info',
  ])
})
