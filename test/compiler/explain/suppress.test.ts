import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'

const TEXT = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
  change:
    description: Changes the account and returns its new state.
    contract_version: 1.0.0
    side_effect: { type: write } # COMMENT
    minimum_scope: [crm.write]
    inputs: []
    output: { type: account, fields: [account] }
`
const found = (comment: string) =>
  check([{ file: 'svc.yaml', text: TEXT.replace('COMMENT', comment) }]).diagnostics.map(
    ({ code, message }) => `${code} ${message}`,
  )

const VERIFY = 'SVC6003 `write` without `verify_via`: nobody can tell whether it worked.'
const EXAMPLE = '`# svc-disable-next-line SVC6003 -- why`'

it.each([
  ['svc-disable-line SVC6003 -- known', []],
  ['svc-disable-line effect-without-verify -- known', []],
  ['svc-disable-line -- known', [VERIFY, `SVC0006 The suppression names no rule; write ${EXAMPLE}.`]],
  [
    'svc-disable-line effect-without-verify',
    ['SVC0007 Add a reason: `# svc-disable-line effect-without-verify -- why`.'],
  ],
  ['svc-disable-line', [VERIFY, `SVC0006 The suppression names no rule; write ${EXAMPLE}.`]],
  ['svc-disable-line SVC6002', [VERIFY, 'SVC0006 The suppression of SVC6002 matches nothing; remove it.']],
  [
    'svc-disable-line SVC6003 – the bank verifies',
    [`SVC0005 The suppression names \`–\`, which is no rule. A reason stands after \`--\`: ${EXAMPLE}.`],
  ],
  [
    'svc-disable-line SVC6003: the bank verifies',
    [VERIFY, 'SVC0005 The suppression names `SVC6003:`, which is no rule. Did you mean `SVC6003`?'],
  ],
  [
    'svc-disable-line SVC6O03 SVC6oo3 -- two typos',
    [
      VERIFY,
      'SVC0005 The suppression names `SVC6O03`, which is no rule. Did you mean `SVC6003`?',
      'SVC0005 The suppression names `SVC6oo3`, which is no rule. Did you mean `SVC6003`?',
    ],
  ],
])('%s', (comment, wanted) => {
  expect(found(comment)).toEqual(wanted)
})

it.each([
  ['svc-disable-line SVC6004 -- why', true],
  ['svc-disable-line SVC6003 SVC6004 -- why', false],
])('a comment that suppresses nothing is taken away, one that suppresses something stays (%s)', (comment, isFixed) => {
  const { diagnostics } = check([{ file: 'svc.yaml', text: TEXT.replace('COMMENT', comment) }])
  const useless = diagnostics.filter(({ code }) => code === 'SVC0006')
  expect(useless.map(({ fix }) => fix !== undefined)).toEqual([isFixed])
})

const LINE = '    side_effect: { type: write }'
const above = (lines: string, text = TEXT.replace(' # COMMENT', '')) =>
  check([{ file: 'svc.yaml', text: text.replace(LINE, `${lines}\n${LINE}`) }], {
    preset: 'recommended',
  }).diagnostics.map(({ code, range, message }) => `${range.start.line} ${code} ${message}`)
const NOTHING = 'matches nothing; remove it.'

it.each([
  ['    # svc-disable-next-line SVC6003 -- why', []],
  ['# svc-disable-next-line SVC6003 -- why', []],
  ['\t#  svc-disable-next-line   SVC6003   --   why', []],
  ['    # svc-disable-next-line SVC6003 -- why\n\n    # more\n', []],
  ['    # svc-disable-next-line SVC6003 -- why\n    # svc-disable-next-line SVC6004 -- why', [`9 SVC0006 The suppression of SVC6004 ${NOTHING}`]],
  ['    # svc-disable-next-line SVC6003 -- why\n    x-a: b', [`8 SVC0006 The suppression of SVC6003 ${NOTHING}`, `10 ${VERIFY}`]],
  ['    # svc-disable-line SVC6003 -- why', [`8 SVC0006 The suppression of SVC6003 ${NOTHING}`, `9 ${VERIFY}`]],
  ['    # svc-disable-next-line SVC6003 --', ['8 SVC0007 Add a reason: `# svc-disable-next-line SVC6003 -- why`.']],
  ['    # svc-disable-next-line SVC6003 -- ', ['8 SVC0007 Add a reason: `# svc-disable-next-line SVC6003 -- why`.']],
  ['    # svc-disable-next-line SVC6003, effect-without-verify', ['8 SVC0007 Add a reason: `# svc-disable-next-line SVC6003, effect-without-verify -- why`.']],
  ['    # svc-disable-next-line SVC6003 a--b -- why', [`8 SVC0005 The suppression names \`a--b\`, which is no rule. A reason stands after \`--\`: ${EXAMPLE}.`]],
  ['    # svc-disable-next-lines SVC6003 -- why', [`9 ${VERIFY}`]],
  ['    # svc-disable SVC6003 -- why', [`9 ${VERIFY}`]],
  ['    # svc-disable-next-line SVC2403 -- why', ['8 SVC0008 SVC2403 is an error, which cannot be suppressed by a comment; fix it.', `9 ${VERIFY}`]],
  ['    # svc-disable-next-line SVC5001 -- why', ['8 SVC0008 SVC5001 is a secret, which cannot be suppressed by a comment; fix it.', `9 ${VERIFY}`]],
  ['    # svc-disable-next-line SVC6110 -- of another preset', [`9 ${VERIFY}`]],
  ['    x-a: "# svc-disable-next-line SVC6003 -- why"', [`9 ${VERIFY}`]],
  ["    x-a: 'a\n      # svc-disable-next-line SVC6003 -- why'", [`10 ${VERIFY}`]],
  ['    x-a: |\n      # svc-disable-next-line SVC6003 -- why', [`10 ${VERIFY}`]],
  ['    x-a: a # svc-disable-next-line SVC6003 -- why', []],
  ['    x-a: a# svc-disable-next-line SVC6003 -- why', [`9 ${VERIFY}`]],
])('above the line: %j', (lines, wanted) => {
  expect(above(lines)).toEqual(wanted)
}) // prettier-ignore

it('names at most 100 rules by one comment', () => {
  const names = (count: number) => `    # svc-disable-next-line ${'SVC2403 '.repeat(count)}SVC6003 -- why`
  expect(above(names(99)).at(-1)).not.toContain('SVC6003')
  expect(above(names(100)).at(-1)).toContain('SVC6003 `write`')
})

it('suppresses nothing in another file', () => {
  const more = TEXT.slice(TEXT.indexOf('capabilities:')).replace(' # COMMENT', '')
  const head = `${TEXT.slice(0, TEXT.indexOf('capabilities:'))}include: [more.yaml]\n# svc-disable-next-line SVC6003 -- why\n`
  const { diagnostics } = check([
    { file: 'svc.yaml', text: head },
    { file: 'more.yaml', text: more },
  ])
  expect(diagnostics.map(({ code, file }) => `${file} ${code}`)).toEqual(['svc.yaml SVC0006', 'more.yaml SVC6003'])
})
