/** What is said of each field of each block where something else stands in its place. */
import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import { blocksOf } from '../../../src/compiler/report/fields/blocks.js'

/** A value as it is written, for every field of a block at once. */
const WRITTEN = [
  'null',
  'true',
  'yes',
  '5',
  '1.10',
  'word',
  'Word',
  '"some text"',
  '""',
  '[]',
  '[a, 5]',
  '{}',
  '{ a: 1 }',
  '0',
  '-1',
  '1.5',
  '15m',
  '"A Name"',
  'TODO',
  '[TODO]',
  '[TODO, word]',
]
const BASE = {
  manifest_metadata: '{ version: "0.24.0" }',
  service_identity: '{ id: shop }',
  trust: '{ level: signed }',
  capabilities: '{}',
}

/** The block where it stands, with everything around it that it needs. */
function manifestWith(path: string, fields: string): string {
  const parts = path.split('.').filter((part) => part !== '')
  const inner = parts.toReversed().reduce((text, part) => around(part, text), `{ ${fields} }`)
  const [first = ''] = parts
  if (first === '') return inner
  const own = inner.slice(2, -2)
  const others = Object.entries(BASE).filter(([name]) => name !== first)
  return [...others.map(([name, text]) => `${name}: ${text}`), own].join('\n')
}
const around = (part: string, text: string): string => {
  const name = part.replace(/\[\]$/u, '').replace(/^<.*>$/u, 'a_name')
  return `{ ${name}: ${part.endsWith('[]') ? `[${text}]` : text} }`
}

function findingsIn(text: string): readonly string[] {
  const { diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'minimal', now: 0 })
  return diagnostics.map(({ code, path, message, suggestion, fix, isGuess }) => {
    const meant =
      suggestion === undefined ? '' : ` => ${suggestion}${fix === undefined ? '' : isGuess ? ' (a guess)' : ' (safe)'}`
    return `${path} ${code} ${message}${meant}`
  })
}

it.each(blocksOf().map(({ slug, path, shape }) => [slug, path, Object.keys(shape.fields)] as const))(
  'each field of %s',
  async (slug, path, fields) => {
    const around = new Set(findingsIn(manifestWith(path, '')))
    const pages = WRITTEN.map((written) => {
      const text = manifestWith(path, fields.map((name) => `${name}: ${written}`).join(', '))
      return `=== ${written}\n${findingsIn(text).filter((line) => !around.has(line)).join('\n')}\n` // prettier-ignore
    })
    const misspelt = fields.map((name) => `${name.slice(0, -1)}: word`)
    const spelt = [...new Set(misspelt)].join(', ')
    const page = `=== misspelt\n${findingsIn(manifestWith(path, spelt)).filter((line) => !around.has(line)).join('\n')}\n` // prettier-ignore
    await expect([...pages, page].join('')).toMatchFileSnapshot(`every-field/${slug}.txt`)
  },
)
