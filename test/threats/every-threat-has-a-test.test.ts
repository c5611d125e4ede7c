import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const range = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`)

/** The promises below docs/security, and the rows of the sections on tokens, verification, permissions, invoke, approval grants, audit, discovery, bootstrap, HTTP, and supply chain and quality. */
const THREATS = [
  ...range('T', 25), ...range('V', 18), ...range('P', 5), ...range('I', 33), ...range('G', 18), ...range('A', 11), ...range('C', 10),
  ...range('J', 3), ...range('D', 3), ...range('M', 4), ...range('O', 14), ...range('B', 3), ...range('H', 17),
  ...range('S', 10), ...readdirSync('docs/security').flatMap((page) => Array.from(readFileSync(`docs/security/${page}`, 'utf8').matchAll(/^## (N\d\d) /gmu), ([, id]) => id!)),
] // prettier-ignore

/** Rows whose test is of another room, under a title that says what holds and not the id. */
const ELSEWHERE: { readonly [id: string]: readonly (readonly [file: string, title: string])[] } = {
  A04: [['test/trust/audit-export.test.ts', 'for %s: %i, even by somebody who can seal'], ['test/trust/audit-command.test.ts', 'names the first bad sequence'], ['test/trust/audit-export.test.ts', 'shows a rolled back trail']],
  A05: [['test/runtime/storage/migrations.test.ts', 'keep the trail append-only']],
  A09: [['test/runtime/storage/contract/audit.ts', 'keeps the very text that is hashed']],
  H16: [['test/trust/key-directory.test.ts', 'is 0700 with files of 0600'], ['test/trust/key-directory.test.ts', 'is refused when a file has mode %o']],
  H17: [['test/trust/restored-backup.test.ts', 'a restored backup is not signed on, until an operator says why'], ['test/runtime/storage/backup.test.ts', 'is a sound store']],
  P01: [['test/runtime/properties.test.ts', 'never disagree, over random tokens and capabilities']],
  I23: [['test/runtime/composition.test.ts', 'needs a token that covers every step before the first one starts'], ['test/runtime/composition.test.ts', 'goes on where it stopped: no step runs twice, and each is approved for itself'], ['test/runtime/composition.test.ts', 'is refused when the steps would cost more together than was checked']],
  S06: [['.ci/user-path', 'two clean builds differ']],
  S10: [['test/trust/second-verifier.test.ts', 'agrees on every golden vector, first bad sequences included']],
  I31: [['test/runtime/vectors/json.test.ts', 'come back and are kept byte for byte, through every input']],
} // prettier-ignore

const ROOMS = [
  'test/threats',
  'test/console',
  'test/runtime/oidc',
  'test/trust',
  'test/client',
  'test/compiler',
  'test/crypto',
  'test/runtime',
  'test/package',
  'test/fuzz',
  'test/races',
  'test/surfaces',
]

const sources = ROOMS.flatMap((room) => readdirSync(room, { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`))
  .filter((file) => file.endsWith('.test.ts') && !file.includes('every-threat'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n') // prettier-ignore

it.each(THREATS)('%s is a test under its id, or under the title that is listed for it', (id) => {
  const isNamed = new RegExp(`['"\`](?:[A-Z]\\d\\d,? |to )*${id}(?:[ ,:]|['"])`, 'u').test(sources)
  const listed = ELSEWHERE[id] ?? []
  const missing = listed.filter(([file, title]) => !existsSync(file) || !readFileSync(file, 'utf8').includes(title))
  expect([isNamed || listed.length > 0, missing]).toEqual([true, []])
}) // prettier-ignore
