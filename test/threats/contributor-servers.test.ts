/** A contributor: what was accepted of an imported server, made to reach more in a pull request (N34). */
import { describe, expect, it } from 'vitest'
import { changeKindOf } from '../../src/compiler/diff/kinds.js'
import { pinnedChanges, SERVER_FIELDS } from '../../src/compiler/diff/pinned.js'
import type { PinnedAddress, PinnedContainer, PinnedProcess } from '../../src/runtime/upstream/mcp/pinned.js'
import type { Json, JsonObject } from '../../src/protocol/manifest.js'

/** Value before, value that limits less, value that limits more; absent is undefined. */
type Attack = readonly [before: Json | undefined, weaker: Json | undefined, stronger?: Json | undefined]
type ServerField = keyof PinnedProcess | keyof PinnedContainer | keyof PinnedAddress

// prettier-ignore
const ATTACKS = {
  package: [['notes', 'n0tes']],
  version: [['1.0.0', '1.0.1']],
  integrity: [['sha512-a', 'sha512-b']],
  files: [['a', 'b']],
  file: [['index.js', 'other.js']],
  args: [[[], ['--root', '/']]],
  image: [['notes@sha256:a', 'notes@sha256:b']],
  url: [['https://a.example/mcp', 'https://b.example/mcp']],
  credential: [['A', 'B']],
  connection: [[undefined, { scopes: ['read'] }], [{ scopes: ['read'] }, { scopes: ['write'] }]],
  user: [[{ uid: 65534, gid: 65534 }, undefined], [undefined, { uid: 0, gid: 0 }]],
  env: [[[], ['SVC_DEVELOPER_KEY']], [['A'], ['B'], []], [undefined, ['A']]],
  paths: [[['./data'], ['./data', './keys'], []], [undefined, ['/']]],
  allow: [[[], ['child-process']], [['worker'], ['addons'], []]],
  confinement: [['container', 'namespaces'], ['namespaces', 'none', 'container'], [undefined, 'none', 'container'], ['container', undefined]],
  network: [
    ['none', 'open'], [undefined, ['a.example']], ['none', ['a.example']], [['a.example'], ['a.example', 'b.example'], []], [['a.example'], 'open', 'none'],
  ],
  reason: [],
} satisfies { readonly [field in ServerField]: readonly Attack[] }

const fileOf = (server: JsonObject, tools: JsonObject = {}): JsonObject => ({ name: 'notes', server, tools })
const changed = (before: JsonObject | undefined, after: JsonObject | undefined) =>
  pinnedChanges(before === undefined ? {} : { 'src/notes.pinned.ts': before }, after === undefined ? {} : { 'src/notes.pinned.ts': after })
    .map(({ code, at }) => [changeKindOf(code).effect, at.join('/')]) // prettier-ignore
const withField = (name: string, value: Json | undefined): JsonObject =>
  fileOf(value === undefined ? { package: 'base' } : { package: 'base', [name]: value })

const rows = Object.entries<readonly Attack[]>(ATTACKS).flatMap(([name, attacks]) =>
  attacks.map((attack) => [name, attack] as const),
)

describe('N34: a contributor', () => {
  it('finds each member of a server judged, and none that no server has', () => {
    expect(Object.keys(SERVER_FIELDS).toSorted()).toEqual(Object.keys(ATTACKS).toSorted())
  })

  it.each(rows)('makes %s of an imported server weaker: %j is weakened', (name, [before, weaker]) => {
    expect(changed(withField(name, before), withField(name, weaker))).toEqual([['weakened', `src/notes.pinned.ts/server/${name}`]])
  }) // prettier-ignore

  it.each(rows.filter(([, attack]) => attack.length === 3))('makes %s stronger: %j is compatible', (name, [before, , stronger]) => {
    expect(changed(withField(name, before), withField(name, stronger))).toEqual([['compatible', `src/notes.pinned.ts/server/${name}`]])
  }) // prettier-ignore

  it.each([
    ['a server that is new', undefined, fileOf({}), 'weakened', ''],
    ['a server that is gone', fileOf({}), undefined, 'compatible', ''],
    ['another name', fileOf({}), { ...fileOf({}), name: 'other' }, 'weakened', '/name'],
    ['a member that nobody knows', fileOf({}), fileOf({ privileged: true }), 'weakened', '/server/privileged'],
    ['a tool more', fileOf({}, {}), fileOf({}, { rm: 'a' }), 'weakened', '/tools/rm'],
    ['a tool with another digest', fileOf({}, { rm: 'a' }), fileOf({}, { rm: 'b' }), 'weakened', '/tools/rm'],
    ['a tool less', fileOf({}, { rm: 'a' }), fileOf({}, {}), 'compatible', '/tools/rm'],
  ])('proposes %s', (_, before, after, effect, place) => {
    expect(changed(before, after)).toEqual([[effect, `src/notes.pinned.ts${place}`]])
  })

  it('rewords the reason, which limits nothing', () => {
    expect(changed(withField('reason', 'Ours.'), withField('reason', 'Still ours.'))).toEqual([])
  })
})
