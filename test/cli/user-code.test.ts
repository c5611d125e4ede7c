import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { exportedNames, withExports } from '../../src/cli/bundle/user-code.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-user-code-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function written(text: string, name = 'index.ts'): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

it.each<[string, readonly string[]]>([
  ["export { one, two as three } from './a.js'", ['one', 'three']],
  ['const one = 1\nexport { one }', ['one']],
  ['export const { one, two: [three] } = handlers', ['one', 'three']],
  ['export const one = () => 1, two = 2', ['one', 'two']],
  ['export function one() {}\nexport async function two() {}\nexport class Three {}', ['one', 'two', 'Three']],
  ["export * as one from './more.js'", ['one']],
  ["export * from './more.js'", ['deep', 'more']],
  ["export * from './more.js'\nexport * from './absent.js'\nexport * from 'elsewhere'", ['deep', 'more']],
  ["export type { One } from './a.js'\nexport { type Two } from './a.js'\nexport interface Three {}\nexport type Four = 1", []],
  ["// export { one } from './a.js'\nconst text = 'export { one }'", []],
  ['', []],
])('%j exports %j', (text, names) => {
  written('export const deep = 1', 'deep.ts')
  written("import { nothing } from 'elsewhere'\nexport const more = 1\nexport * from './deep.js'\nexport * from './index.js'", 'more.ts')
  expect([...exportedNames(written(text))].toSorted()).toEqual(names.toSorted())
}) // prettier-ignore

const LINE = "export { last } from './last.js'"

it.each<[string, string]>([
  ['', `${LINE}\n`],
  ["export { one } from './one.js'", `\n${LINE}\n`],
  ["export { one } from './one.js'\n", `${LINE}\n`],
  ["export { one } from './one.js';\n", `${LINE};\n`],
  ["export { one } from './one.js' // kept\r\n", `${LINE}\r\n`],
  ["export {one}   from  './one.js' ; /* kept */\n\n\n// tail", `\n${LINE};\n`],
  ['\uFEFF/* head */ export { one } from "./one.js"\n', `${LINE.replaceAll("'", '"')}\n`],
  ['export const one = 1;\n', `${LINE}\n`],
  ['export { one from\n', `${LINE}\n`],
])('%j keeps every character, and gains %j', (text, added) => {
  expect(withExports(written(text), [LINE])).toBe(text + added)
})

it('a list that is not there yet has the lines alone', () => {
  expect([withExports(join(folder, 'none.ts'), [LINE]), [...exportedNames(join(folder, 'none.ts'))]]).toEqual([`${LINE}\n`, []]) // prettier-ignore
})
