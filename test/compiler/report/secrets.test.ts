import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import { githubReport } from '../../../src/compiler/report/github.js'
import { gitlabReport } from '../../../src/compiler/report/gitlab.js'
import { jsonReport } from '../../../src/compiler/report/json.js'
import { junitReport } from '../../../src/compiler/report/junit.js'
import { sarifReport } from '../../../src/compiler/report/sarif.js'
import { conceal, secretsOf } from '../../../src/compiler/explain/secrets.js'
import { maskOf } from '../../../src/compiler/report/mask.js'
import { publicFix } from '../../../src/compiler/report/public-fix.js'
import { textReport } from '../../../src/compiler/report/text.js'
import { RULES } from '../../../src/compiler/rules/index.js'
import type { Diagnostic } from '../../../src/compiler/diagnostics.js'
import type { CheckedRun } from '../../../src/compiler/report/run.js'

/** Put together here, so that no scanner takes this file for a leak. */
const SECRETS = {
  aws: `AKIA${'IOSFODNN7EXAMPLE'}`,
  github: `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`,
  stripe: `sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`,
  token: `eyJ${'hbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZ2VudCJ9.c2lnbmF0dXJlLXRoYXQtaXMtbG9uZw'}`,
}

const SECRET_RULE = RULES.find(({ secret }) => secret === true)!.code

const everyReport = (run: CheckedRun): string =>
  [
    textReport(run, { color: false, summaryOnly: false }),
    textReport(run, { color: true, summaryOnly: false }),
    jsonReport(run, '0.0.0'),
    sarifReport(run, '1.0.0', () => undefined, 'svc-validate/'),
    githubReport(run),
    gitlabReport(run),
    junitReport(run),
  ].join('\n')

function reported(text: string): string {
  const sources = [{ file: 'svc.yaml', text }]
  return everyReport({ sources, diagnostics: check(sources, { preset: 'strict' }).diagnostics })
}

/** Texts with a secret in the place of each value and of each key, one at a time. */
function* hiding(text: string, secret: string): Generator<string> {
  for (const match of text.matchAll(/(?<=[:[,-] +)[^\s[\]{},#'"|>&*][^\n[\]{},#'"]*(?=$|[\n\]},])/gmu))
    yield text.slice(0, match.index) + secret + text.slice(match.index + match[0].length)
  for (const match of text.matchAll(/(?<=^ *(?:- )?)[a-z_]+(?=:)/gmu))
    yield text.slice(0, match.index) + secret + text.slice(match.index + match[0].length)
}

const minimal = readFileSync('examples/minimal/svc.yaml', 'utf8')
const travel = readFileSync('examples/travel/svc.yaml', 'utf8')

/** As long as a test may take: the head and the first capabilities. */
const part = (text: string): string => text.split('\n').slice(0, 90).join('\n')

describe('no report shows a secret', () => {
  it.each(Object.entries(SECRETS))(
    'wherever it stands: %s',
    (_, secret) => {
      // What is cut off at some length must not show either: the first half gives it away, too.
      const half = secret.slice(0, Math.ceil(secret.length / 2))
      for (const text of hiding(secret === SECRETS.aws ? part(travel) : minimal, secret))
        expect(reported(text)).not.toContain(half)
    },
    120_000,
  )

  it.each([
    ['beside text that is not YAML', `trust: [ ${SECRETS.aws}\nservice_identity: { id: a }\n`, SECRETS.aws],
    ['in a comment near a finding', `trust: { level: signd } # ${SECRETS.github}\n`, SECRETS.github],
    ['before bytes that are none', `a: ${SECRETS.stripe} \uFFFD\n`, SECRETS.stripe],
    ['in a file that is no mapping', `- ${SECRETS.aws}\n`, SECRETS.aws],
    ['as a whole file', SECRETS.aws, SECRETS.aws],
    ['twice as a key', `${SECRETS.aws}: 1\n${SECRETS.aws}: 2\n`, SECRETS.aws],
    ['in the lines of a private key', 'x-a: |\n  -----BEGIN PRIVATE KEY-----\n  MIGHAgEAMBMGByq\n  -----END PRIVATE KEY-----\ntrust: 1\n', 'MIGHAgEAMBMGByq'],
    ['in a key that is never closed', 'x-a: [ -----BEGIN PRIVATE KEY-----\n  MIGHAgEAMBMGByq\n', 'MIGHAgEAMBMGByq'],
    ['as a default of another type', travel.replace(/inputs:\n/u, 'inputs:\n      - { name: password, type: integer, default: hunter22, allowed_values: [hunter22, hunter22] }\n'), 'hunter22'],
  ])('%s', (_, text, secret) => {
    expect(reported(text)).not.toContain(secret)
  }) // prettier-ignore
})

const at = (from: number, to: number) => ({
  start: { line: 1, column: from + 1, offset: from },
  end: { line: 1, column: to + 1, offset: to },
})

it.each([
  ['writes one', [{ file: 'a', range: at(0, 3), newText: 'x: hunter22' }], false],
  ['takes one away', [{ file: 'a', range: at(5, 9), newText: 'x' }], false],
  ['does so in its second edit', [{ file: 'a', range: at(0, 3), newText: 'x' }, { file: 'a', range: at(5, 13), newText: '' }], false],
  ['has nothing to do with one', [{ file: 'a', range: at(0, 3), newText: 'x' }], true],
] as const)('a fix that %s is shown: %s', (_, fix, isShown) => {
  const run = { sources: [{ file: 'a', text: 'key: hunter22' }], diagnostics: [] }
  const mask = { sources: [{ file: 'a', text: 'key: ********' }], hides: (text: string) => text.includes('hunter22') }
  expect(publicFix({ fix } as never, run, mask)).toEqual(isShown ? fix : undefined)
}) // prettier-ignore

it('what a rule about secrets points at is hidden wherever else it stands', () => {
  const text = 'a: hunter22x # hunter22x\n'
  const told = { code: SECRET_RULE, file: 'a', range: at(3, 12) } as Diagnostic
  const mask = maskOf(
    [
      { file: 'a', text },
      { file: 'b', text: 'b: [hunter22x, 1]\n' },
    ],
    [told],
  )
  expect(mask.sources.map((source) => source.text)).toEqual(['a: ********* # *********\n', 'b: [*********, 1]\n'])
  expect([mask.hides('is hunter22x'), mask.hides('is hunter')]).toEqual([true, false])
})

it.each<[string, readonly (readonly [number, number])[]]>([
  ['overlap', [[3, 15], [9, 21]]],
  ['are one within the other', [[3, 21], [9, 15]]],
  ['touch', [[3, 9], [9, 21]]],
])('places of secrets that %s are painted over once, and every line keeps its length', (_, ranges) => {
  const told = ranges.map(([from, to]) => ({ code: SECRET_RULE, file: 'a', range: at(from, to) }) as Diagnostic)
  const mask = maskOf([{ file: 'a', text: 'a: hunter hunter hunter # b\n' }], told)
  expect(mask.sources.map(({ text }) => text)).toEqual(['a: ****** ****** ****er # b\n'])
}) // prettier-ignore

it('a secret of one file is hidden where another one holds a beginning of it', () => {
  const sources = [
    { file: 'a', text: `trust: signed # ${SECRETS.aws}\n` },
    { file: 'b', text: `b: ${SECRETS.aws.slice(0, 12)}\n` },
  ]
  const mask = maskOf(sources, [{ code: 'SVC2001', file: 'b', range: at(0, 1) } as Diagnostic])
  expect(mask.sources.map(({ text }) => text)).toEqual([`trust: signed # ${'*'.repeat(20)}\n`, 'b: ************\n'])
  expect(mask.hides(`was ${SECRETS.aws.slice(0, 10)}`)).toBe(true)
})

it('a secret of several lines is hidden line by line', () => {
  const text = "a: 'hunter22x\n  hunter33x'\n"
  const told = { code: SECRET_RULE, file: 'a', range: { start: { line: 1, column: 4, offset: 3 }, end: { line: 2, column: 13, offset: 25 } } } as Diagnostic // prettier-ignore
  const mask = maskOf(
    [
      { file: 'a', text },
      { file: 'b', text: 'b: hunter33x\n' },
    ],
    [told],
  )
  expect(mask.sources[1]!.text).toBe('b: *********\n')
})

describe('a text without secrets', () => {
  it('hides those that are known by their looks, whole', () => {
    expect(conceal(`Was ${SECRETS.github}, and is none.`, [])).toBe(`Was ${'*'.repeat(40)}, and is none.`)
  })

  it.each([
    ['cut off', 'Was "hunter-hunt…".', 'Was "***********…".'],
    ['in small letters', 'hunter-hunter-hunter', '********************'],
    ['in capitals', 'HUNTER-HUNTER-HUNTER!', '********************!'],
    ['twice', 'Hunter-Hunter-hunter Hunter-Hunter-Hunter', '******************** ********************'],
    ['no word that is like it', 'A hunter hunts.', 'A hunter hunts.'],
  ])('hides those of a list: %s', (_, text, hidden) => {
    expect(conceal(text, ['Hunter-Hunter-Hunter'])).toBe(hidden)
  })

  it('takes them from texts, and not what begins a private key', () => {
    expect(secretsOf([`a: ${SECRETS.aws}\n`], [])).toEqual([SECRETS.aws])
    expect(secretsOf(['x: |\n  -----BEGIN PRIVATE KEY-----\n  MIGHAgEAMBMGByq\n  -----END PRIVATE KEY-----\n'], [])).not.toContain('PRIVATE') // prettier-ignore
  })
})
