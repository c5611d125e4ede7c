import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { KNOWN_FIELDS } from '../../src/client/known-fields.js'
import { MANIFEST } from '../../src/compiler/shape/fields/manifest.js'
import { knownOf } from './known-of.js'

const FILES = { typescript: 'src/client/known-fields.ts', python: 'templates/python/_supported.py' }
const known = knownOf(MANIFEST)

/** The table between its first brace at the left margin and the last. */
const written = (text: string, table: string): string =>
  text.replace(/(?<=KNOWN_FIELDS[^=]*= )[{][^]*?\n[}](?=\n)/u, () => table)

const asPython = (): string => JSON.stringify(known, null, 4)
const asTypeScript = (): string => JSON.stringify(known, null, 2)

if (process.env['UPDATE'] === '1') {
  const write = (file: string, table: string) => writeFileSync(file, written(readFileSync(file, 'utf8'), table))
  write(FILES.typescript, asTypeScript())
  write(FILES.python, asPython())
}

it('the client knows every field and word that the table of fields has (UPDATE=1 writes both, then npm run format)', () => {
  expect(KNOWN_FIELDS).toEqual(known)
})

it('the client for Python knows the same', () => {
  expect(readFileSync(FILES.python, 'utf8')).toContain(` = ${asPython()}\n`)
})
