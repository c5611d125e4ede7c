import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const range = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`)

/** The rows of the sections on tokens, verification, permissions, invoke, approval grants, audit, discovery, bootstrap and HTTP. */
const THREATS = [
  ...range('T', 25), ...range('V', 18), ...range('P', 5), ...range('I', 33), ...range('G', 18), ...range('A', 11), ...range('D', 3),
  ...range('O', 14), ...range('B', 3), ...range('H', 17),
] // prettier-ignore

/** Rows that are kept elsewhere, and where. */
const ELSEWHERE: { readonly [id: string]: string } = {
  A04: 'test/crypto and svc verify: edits, removals, insertions and truncations of an export are found and named',
  A05: 'test/runtime/storage: triggers of the store refuse to change or delete entries',
  A09: 'test/runtime/storage/contract: entries come back byte for byte and hash to the same leaf',
  H16: 'test/runtime/key-directory: key files are made 0600, and open ones are refused',
  H17: 'test/runtime/checkpoints: a store that was set back is noticed before anything is signed',
}

const titlesIn = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith('every-threat'))
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
    .join('\n')

it('every threat is a test under its id, or is listed with the place that keeps it', () => {
  const titles = titlesIn('test/threats') + titlesIn('test/runtime/oidc')
  const isTested = (id: string) => new RegExp(`['"\`\\[ ]${id}[ '"]`, 'u').test(titles)
  expect(THREATS.filter((id) => !isTested(id) && !Object.hasOwn(ELSEWHERE, id))).toEqual([])
})
