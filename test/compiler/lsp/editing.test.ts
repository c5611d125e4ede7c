/** What an editor shows and does at a place, where two things could be meant. */
import { expect, it } from 'vitest'
import { capabilityCard } from '../../../src/compiler/lsp/capability-card.js'
import { completionsAt } from '../../../src/compiler/lsp/completion.js'
import { foldsOf } from '../../../src/compiler/lsp/folding.js'
import { capabilityNamed } from '../../../src/compiler/lsp/names.js'
import { namingAt, namingsOf } from '../../../src/compiler/lsp/namings.js'
import { durationInWords } from '../../../src/compiler/lsp/hints.js'
import { renameTrouble } from '../../../src/compiler/lsp/renaming.js'
import { readDocument } from '../../../src/compiler/parse/read-document.js'

const CAPABILITIES = `capabilities:
  lookup:
    inputs: [{ name: id }, { name: id }, { name: other }]
    minimum_scope: ['crm\`.read']
    x-exclusive-by: [id]
`
const rootsOf = (text: string) => [readDocument({ file: 'a', text, base: 0 }, () => undefined)!]

it('a card writes no mark of code within code', () => {
  const card = capabilityCard('lookup', capabilityNamed(rootsOf(CAPABILITIES), 'lookup')!)
  expect(card.split('\n').filter((line) => line.startsWith('- asks'))).toEqual(['- asks: `crm.read`'])
})

it('what stands there twice is proposed once', () => {
  const text = CAPABILITIES.replace('by: [id]', 'by: []')
  const { proposals } = completionsAt(text, text.indexOf('by: [') + 5)
  expect(proposals.map(({ label }) => label)).toEqual(['id', 'other'])
})

it('a comment of one line is not folded, of two it is', () => {
  const comments = (text: string) =>
    foldsOf(rootsOf(text)[0]!, text, 0).flatMap(({ start, end, isComment }) => (isComment ? [text.slice(start, end)] : [])) // prettier-ignore
  expect(comments('# one\na: 1\n# two\n# three\nb: 2\n')).toEqual(['# two\n# three'])
})

it('a name may stay as it is', () => {
  const roots = rootsOf(CAPABILITIES)
  const naming = namingsOf(roots).find(({ kind, name }) => kind === 'input' && name === 'other')!
  expect(['other', 'id', 'another', 'No name'].map((name) => renameTrouble(roots, naming, name) !== undefined)).toEqual(
    [false, true, false, true],
  )
})

it('a name is at its quotes, too', () => {
  const text = CAPABILITIES.replace('[id]', '["id"]')
  const at = text.indexOf('"id"')
  const names = [at - 1, at, at + 1, at + 3, at + 4].map((offset) => namingAt(rootsOf(text), offset)?.name)
  expect(names).toEqual([undefined, 'id', 'id', 'id', 'id'])
})

it('a name that is written with escapes is none: nobody could say where it stands', () => {
  const mapping = (source: string) => `capabilities:
  order:
    inputs: [{ name: id }]
    composition: { input_mapping: { one: { id: ${source} } } }
`
  const uses = (text: string) => namingsOf(rootsOf(text)).filter(({ isDeclaration }) => !isDeclaration).length
  const [plain, escaped] = [uses(mapping('"$.input.id"')), uses(mapping('"$.input.i\\u0064"'))]
  expect(plain - escaped).toBe(1)
})

it('a card is text, whatever the manifest writes: no image is fetched by looking at a name', () => {
  const text = CAPABILITIES.replace('    inputs:', "    description: '<img src=x> [a](b) ![c](d)'\n    inputs:")
  const card = capabilityCard('lookup', capabilityNamed(rootsOf(text), 'lookup')!)
  expect(card.split('\n')[2]).toBe(String.raw`\<img src=x\> \[a\]\(b\) \!\[c\]\(d\)`)
})

it.each([
  ['PT0S', '0 seconds'],
  ['P1DT1H', '1 day 1 hour'],
  ['P2Y', '2 years'],
])('%s is %s', (written, said) => {
  expect(durationInWords(written)).toBe(said)
})

it('a scope takes no name that is asked for already: who holds it would gain more', () => {
  const roots = rootsOf('capabilities: { a: { minimum_scope: [crm.read] }, b: { minimum_scope: [crm.write] } }\n')
  const naming = namingsOf(roots).find(({ name }) => name === 'crm.read')!
  expect(renameTrouble(roots, naming, 'crm.write')).toContain('is asked for already')
  expect(renameTrouble(roots, naming, 'crm.look')).toBeUndefined()
})

it('a whole input is proposed where its first key is written, and not after another', () => {
  const snippets = (input: string) => {
    const text = `capabilities:\n  a:\n    inputs:\n      - ${input}\n`
    return completionsAt(text, text.trimEnd().length).proposals.filter(({ kind }) => kind === 'snippet').length
  }
  expect(snippets('n')).toBeGreaterThan(0)
  expect(snippets('name: id\n        t')).toBe(0)
})
