import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { check } from '../../src/compiler/check.js'
import { textReport } from '../../src/compiler/report/text.js'

interface Step {
  readonly name: string
  readonly run?: string
  readonly shell?: string
  readonly uses?: string
  readonly if?: string
  readonly env?: { readonly [name: string]: string }
  readonly with?: { readonly [name: string]: string }
  readonly 'working-directory'?: string
}

const text = readFileSync('action.yml', 'utf8')
const action = parse(text) as {
  readonly inputs: { readonly [name: string]: { readonly description: string; readonly default: string } }
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}
const { steps } = action.runs

it('the action is a composite one, whose steps have what steps need', () => {
  expect(Object.keys(action)).toEqual(['name', 'description', 'branding', 'inputs', 'runs'])
  expect(action.runs.using).toBe('composite')
  const fields = ['name', 'run', 'shell', 'uses', 'if', 'env', 'with', 'working-directory']
  expect(steps.flatMap((step) => Object.keys(step).filter((field) => !fields.includes(field)))).toEqual([])
  expect(
    steps.filter(
      ({ run, shell, uses }) => (run === undefined) === (uses === undefined) || (run !== undefined && shell !== 'bash'),
    ),
  ).toEqual([])
  expect(steps.flatMap(({ uses }) => (uses === undefined || /@v\d+$/u.test(uses) ? [] : [uses]))).toEqual([])
})

it('the action runs validate, build --check, test and diff, and uploads what they found', () => {
  const runs = steps.flatMap(({ run }) => run?.match(/svc (?:validate|build|test|diff)\b/gu) ?? [])
  expect([...new Set(runs)]).toEqual(['svc validate', 'svc build', 'svc test', 'svc diff'])
  expect(steps.at(-1)?.uses).toMatch(/upload-sarif/u)
})

it('no expression stands in a script, where it could become code, and each names what there is', () => {
  expect(steps.filter(({ run }) => run?.includes('${{') === true)).toEqual([])
  const named = [...text.matchAll(/inputs\.([a-z-]+)/gu)].map(([, name]) => name!)
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(action.inputs).toSorted())
})

it('the problem matcher finds what svc prints', () => {
  const { problemMatcher } = JSON.parse(readFileSync('.github/svc-problem-matcher.json', 'utf8')) as {
    readonly problemMatcher: readonly [{ readonly pattern: readonly { readonly regexp: string }[] }]
  }
  const sources = [{ file: 'shop/svc.yaml', text: 'service_identity: { id: shop }\n' }]
  const { diagnostics } = check(sources)
  const lines = textReport({ sources, diagnostics }, { color: false, summaryOnly: false }).split('\n')
  const [head, message] = problemMatcher[0].pattern.map(({ regexp }) => new RegExp(regexp, 'u'))
  const at = lines.findIndex((line) => head!.test(line))
  expect(head!.exec(lines[at]!)!.slice(1, 6)).toEqual([
    'shop/svc.yaml',
    expect.stringMatching(/^\d+$/u),
    expect.stringMatching(/^\d+$/u),
    'error',
    expect.stringMatching(/^SVC\d{4}$/u),
  ])
  expect(message!.exec(lines[at + 1]!)?.[1]).toMatch(/\S/u)
})

it('the hooks for pre-commit run commands that exist', () => {
  const hooks = parse(readFileSync('.pre-commit-hooks.yaml', 'utf8')) as readonly {
    readonly id: string
    readonly entry: string
    readonly files: string
  }[]
  expect(hooks.map(({ id, entry }) => [id, entry])).toEqual([
    ['svc-validate', 'npx --no-install svc validate'],
    ['svc-build-check', 'npx --no-install svc build --check'],
  ])
  expect(hooks.every(({ files }) => new RegExp(files, 'u').test('shop/svc.yaml'))).toBe(true)
})
