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

it('comments that stand one above the other cover the same line, with other comments and empty lines between', () => {
  const comments =
    '# svc-disable-next-line SVC6003 -- the bank verifies\n\n    # Of the bank.\n    # svc-disable-next-line SVC6006 -- never\n    '
  const text = TEXT.replace(' # COMMENT', '').replace('side_effect', `${comments}side_effect`)
  const { diagnostics } = check([{ file: 'svc.yaml', text }])
  expect(diagnostics.map(({ code }) => code)).toEqual(['SVC0006'])
})
