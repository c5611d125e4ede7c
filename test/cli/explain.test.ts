/** What `svc explain` prints of each name that it knows. */
import { expect, it, vi } from 'vitest'
import { CHANGE_KINDS } from '../../src/compiler/diff/kinds.js'
import { blocksOf } from '../../src/compiler/report/fields/blocks.js'
import { fieldText } from '../../src/compiler/report/fields/texts.js'
import { conceptNames } from '../../src/cli/explain/concepts.js'
import { FAILURE_WORDS } from '../../src/cli/explain/failure.js'
import { fieldNames } from '../../src/cli/explain/field.js'
import { INSTEAD, KEYWORDS } from '../../src/compiler/rules/facts/schemas/keywords.js'
import { written } from './written.js'

async function explained(name: string, ...options: readonly string[]): Promise<string> {
  const { code, text } = await written(['explain', name, ...options])
  expect([name, code]).toEqual([name, 0])
  return text
}
const pagesOf = async (names: Iterable<string>, ...options: readonly string[]): Promise<string> => {
  const pages: string[] = []
  for (const name of new Set(names)) pages.push(`$ svc explain ${name}\n${await explained(name, ...options)}`)
  return pages.join('').replaceAll(/\n\n+/gu, '\n')
}

/** The words of the manifest that say what happens. */
const WORDS = blocksOf().flatMap(({ shape }) =>
  Object.keys(shape.fields).flatMap((field) => Object.keys(fieldText(shape.title, field)?.words ?? {})),
)

it.each<[string, Iterable<string>]>([
  ['failures', FAILURE_WORDS],
  ['concepts', conceptNames()],
  ['keywords', [...KEYWORDS.keys(), ...INSTEAD.keys()]],
  ['changes', [...CHANGE_KINDS.values()].map(({ code }) => code)],
  ['words', WORDS],
  ['blocks', blocksOf().map(({ slug }) => slug)],
])('%s', async (name, names) => {
  await expect(await pagesOf(names)).toMatchFileSnapshot(`explain/${name}.txt`)
})

it('changes as data', async () => {
  const data = await pagesOf(['SVC9001', 'capability-removed', 'Scope-Added'], '--json')
  await expect(data).toMatchFileSnapshot('explain/changes-as-data.txt')
})

it('fields: where each stands, and which page has more', async () => {
  const lines: string[] = []
  for (const name of await fieldNames()) {
    const text = await explained(name)
    const titles = text.split('\n').filter((line) => /^# |^ {2}svc explain |^docs\/|^`\w+` is a field of/u.test(line))
    lines.push(`${name}: ${titles.join(' · ')}\n`)
  }
  await expect(lines.join('')).toMatchFileSnapshot('explain/fields.txt')
})

it.each(['approval.required', 'cost.certainty', 'inputs.type', 'x-schema', 'capabilities.x.inputs.y.resolution.mode'])(
  'the page of %s',
  async (name) => {
    await expect(await explained(name)).toMatchFileSnapshot(`explain/page-of-${name}.txt`)
  },
)

it.each([
  ['Resolution.mode', ' Did you mean `resolution`?'],
  ['SVC9O01', ' Did you mean `SVC0001`?'],
  ['budgets', ' Did you mean `budget`?'],
  ['uniqueItem', ' Did you mean `uniqueItems`?'],
  ['budget_exceded', ' Did you mean `budget_exceeded`?'],
  ['nothing-like-any', ''],
])('%s is no name of anything', async (name, meant) => {
  const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const { code, text } = await written(['explain', name])
  const said = String(spy.mock.calls[0]?.[0])
  spy.mockRestore()
  expect([code, text, said]).toEqual([
    2,
    '',
    `svc: Nothing is called \`${name}\`: no rule, change, field, word or failure.${meant} \`svc rules\` lists the rules, docs/reference has the rest.\n`,
  ])
})
