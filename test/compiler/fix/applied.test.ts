/** Which fixes `--fix` writes, and where. */
import { expect, it } from 'vitest'
import { applyFixes } from '../../../src/compiler/fix/apply-fixes.js'
import type { Rule } from '../../../src/compiler/rules/rule.js'
import { textTooLong } from '../../../src/compiler/rules/text/text-too-long.js'
import { at } from '../../../src/compiler/shape/view.js'

const manifest = (capability: string, head = ''): string => `${head}manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
  lookup:
    description: Looks an account up by its id, and says who owns it.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
${capability}`

const OUTPUT = '    output: { type: account, fields: [account] }\n'
const fixed = (text: string, options = {}): string => applyFixes([{ file: 'svc.yaml', text }], options)[0]!.text

it('leaves what has nothing to fix as it is, to the byte', () => {
  const text = manifest(`${OUTPUT}# the end`)
  expect(fixed(text)).toBe(text)
})

it('writes a safe fix, and a guess only where it is asked for', () => {
  const safe = manifest('    output: { type: account, fields: [account] }\n    observability: { logged: "true" }\n')
  expect(fixed(safe)).toBe(manifest(`${OUTPUT}    observability: { logged: true }\n`))
  const guess = manifest(`${OUTPUT}    obsrvability: { logged: true }\n`)
  expect(fixed(guess)).toBe(guess)
  expect(fixed(guess, { withGuesses: true })).toBe(manifest(`${OUTPUT}    observability: { logged: true }\n`))
})

it('writes several in one file, and those of a fragment in the fragment alone', () => {
  const root = manifest(`${OUTPUT}    observability: { logged: "true", retention: P90D }\n    response_modes: unary\n`, 'include: [more.yaml]\n')
  const more = manifest(`${OUTPUT}    observability: { logged: "false" }\n`)
  const fragment = more.slice(more.indexOf('capabilities:')).replace('lookup', 'find').replace('Looks', 'Finds')
  const sources = [{ file: 'svc.yaml', text: root }, { file: 'more.yaml', text: fragment }]
  expect(applyFixes(sources, {})).toEqual([
    { file: 'svc.yaml', text: root.replace('"true"', 'true').replace('unary', '[unary]') },
    { file: 'more.yaml', text: fragment.replace('"false"', 'false') },
  ])
}) // prettier-ignore

type Edit = readonly [from: number, to: number, text: string]
type Edits = (description: string) => readonly Edit[]

/** A rule that finds something in a description, and says what to put where: offsets count from its first letter. */
const ruleThat = (edits: Edits): Rule =>
  ({
    ...textTooLong,
    ofCapability: ({ capability }, report) => {
      const { start } = at(capability, 'description')
      for (const [from, to, newText] of edits(String(capability.description)))
        report({ start: start + from, end: start + to }, `${from} to ${to}: ${newText}`, {
          fix: [{ span: { start: start + from, end: start + to }, newText }],
        })
    },
  }) satisfies Rule

const described = (edits: Edits, description: string): string => {
  const text = manifest(OUTPUT).replace('Looks an account up by its id, and says who owns it.', description)
  return /description: (.*)/u.exec(fixed(text, { rules: [ruleThat(edits)] }))![1]!
}

it('puts one text where two would be put in the same place, and then looks again', () => {
  const twice: Edits = (text) => (text === 'xAbc' ? [] : [[0, 0, 'x'], [0, 0, 'y']]) // prettier-ignore
  expect(described(twice, 'Abc')).toBe('xAbc')
})

it('makes the first of two edits that overlap, and both where one begins as the other ends', () => {
  const overlap: Edits = (text) => (text === 'Abcd' ? [[1, 3, 'X'], [0, 2, 'Y']] : []) // prettier-ignore
  expect(described(overlap, 'Abcd')).toBe('Ycd')
  const adjacent: Edits = (text) => (text === 'Abcd' ? [[2, 4, 'X'], [0, 2, 'Y']] : []) // prettier-ignore
  expect(described(adjacent, 'Abcd')).toBe('YX')
})

it('goes on for ten rounds while each leaves less, and takes back one that does not', () => {
  const shorter: Edits = (text) => [...text].map((_, index): Edit => [index, index + 1, index === 0 ? '' : text[index]!]) // prettier-ignore
  expect(described(shorter, 'abcdefghijklmnop')).toBe('klmnop')
  const same: Edits = (text) => [[0, 1, text.startsWith('b') ? 'c' : 'b']]
  expect(described(same, 'abc')).toBe('abc')
})

it('takes back what leaves fewer findings, but an error more', () => {
  const emptied: Edits = (text) => (text === 'Abc' ? [[0, 3, '{}'], [3, 3, ''], [3, 3, '']] : []) // prettier-ignore
  expect(described(emptied, 'Abc')).toBe('Abc')
})

it('keeps the fix of an error that uncovers more warnings', () => {
  const wrong = manifest(OUTPUT).replace('side_effect: { type: read }', 'side_effect: write')
  expect(fixed(wrong)).toBe(wrong.replace('write', '{ type: write }'))
})

it('applies what is right beside a fix that is wrong', () => {
  const oneWrong: Edits = (text) =>
    text.startsWith('a') ? [[0, 1, 'A'], ...(text.endsWith('d') ? [[3, 4, 'e'] as Edit] : [])] : text.endsWith('e') ? [[0, 1, 'A'], [1, 2, 'A'], [2, 3, 'A']] : [] // prettier-ignore
  expect(described(oneWrong, 'abcd')).toBe('Abcd')
})
