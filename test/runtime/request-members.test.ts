/** How members of bodies, query parameters and ids are read: to the last character that they may have. */
import { expect, it } from 'vitest'
import { clientReferenceOf, invokeRequestOf } from '../../src/runtime/call/request.js'
import type { JsonObject } from '../../src/protocol/manifest.js'
import { idFilterIn, idInPath, idInQuery, idMember, type NamedId } from '../../src/runtime/request/ids.js'
import {
  booleanMember,
  membersOf,
  numberMember,
  objectMember,
  shortText,
  wordAmong,
} from '../../src/runtime/request/members.js'
import {
  capabilityIn,
  countIn,
  readQuery,
  referenceIn,
  textIn,
  timeIn,
  wordIn,
} from '../../src/runtime/request/query.js'
import { Refusal } from '../../src/runtime/errors/refusal.js'

/** What is read, or why it is refused. */
const outcome = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) return { [error.failure.type]: error.failure.detail }
    throw error
  }
}
const refused = (detail: string) => ({ invalid_parameters: detail })

const [SHORT, SMILES] = ['x'.repeat(256), '🙂'.repeat(256)]
const NO_SHORT = refused('The member m must be a string of 1 to 256 characters.')
it.each([
  [SHORT, SHORT],
  [`${SHORT}x`, NO_SHORT],
  [SMILES, SMILES],
  [`${SMILES}x`, NO_SHORT],
  ['', NO_SHORT],
  [7, NO_SHORT],
  [null, undefined],
])('the text %j is read as %j', (m, expected) => {
  expect(outcome(() => shortText({ m }, 'm'))).toEqual(expected)
})

it.each([
  [(body: JsonObject) => wordAmong(body, 'm', ['a', 'b']), 'b', 'one of a, b'],
  [(body: JsonObject) => objectMember(body, 'm'), { a: 1 }, 'an object'],
  [(body: JsonObject) => booleanMember(body, 'm'), false, 'true or false'],
  [(body: JsonObject) => numberMember(body, 'm', (value) => value < 3, 'less than 3'), 2, 'less than 3'],
])('%o takes %j, and nothing where there is none', (read, good, expected) => {
  expect(outcome(() => read({ m: good }))).toEqual(good)
  expect([read({}), read({ m: null })]).toEqual([undefined, undefined])
  for (const bad of ['c', [], 3, true].filter((each) => typeof each !== typeof good || each === 'c' || each === 3))
    expect(outcome(() => read({ m: bad }))).toEqual(refused(`The member m must be ${expected}.`))
})

it.each([
  [['a'], refused('The request has unknown members: "a". Known are m, n.')],
  [
    ['a', 'b', 'c', 'd', 'e', 'f'],
    refused('The request has unknown members: "a", "b", "c", "d", "e". Known are m, n.'),
  ],
  [['m', 'n'], { m: 1, n: 1 }],
])('of a body with %j is read: %j', (names, expected) => {
  const body = Object.fromEntries(names.map((name) => [name, 1]))
  expect(outcome(() => membersOf(body, ['m', 'n']))).toEqual(expected)
})

const query = (m: string) => readQuery(new URLSearchParams({ m }), ['m'])
const NO_TEXT = refused('The query parameter m must have 1 to 256 characters.')
const NO_TIME = refused('The query parameter m must be an RFC 3339 time with an offset.')
const NO_COUNT = refused('The query parameter m must be a whole number from 1 to 2000000000.')
const count = (given: ReturnType<typeof query>) => countIn(given, 'm', { least: 1, most: 2_000_000_000 })
it.each([
  [textIn, SHORT, SHORT],
  [textIn, `${SHORT}x`, NO_TEXT],
  [textIn, SMILES, SMILES],
  [textIn, `${SMILES}x`, NO_TEXT],
  [textIn, '', NO_TEXT],
  [referenceIn, '', ''],
  [referenceIn, `${SHORT}x`, NO_TEXT],
  [timeIn, '2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
  [timeIn, '2026-03-01t12:00:00.5z', '2026-03-01T12:00:00.500Z'],
  [timeIn, '2026-03-01T12:00:00+01:00', '2026-03-01T11:00:00.000Z'],
  [timeIn, '2026-03-01T12:00:00 01:00', '2026-03-01T11:00:00.000Z'],
  [timeIn, '2026-03-01T12:00:00-01:00', '2026-03-01T13:00:00.000Z'],
  [timeIn, '2026-03-01T12:00:00', NO_TIME],
  [timeIn, '2026-02-29T12:00:00Z', NO_TIME],
  [count, '1', 1],
  [count, '999999999', 999_999_999],
  [count, '1000000000', NO_COUNT],
  [count, '0', NO_COUNT],
  [count, '-1', NO_COUNT],
  [count, '1.0', NO_COUNT],
  [capabilityIn, 'pay.charge', 'pay.charge'],
  [capabilityIn, 'Pay', refused('The query parameter m must be the name of a capability.')],
  [(given: ReturnType<typeof query>) => wordIn(given, 'm', ['a', 'b']), 'b', 'b'],
  [
    (given: ReturnType<typeof query>) => wordIn(given, 'm', ['a', 'b']),
    'c',
    refused('The query parameter m must be one of a, b.'),
  ],
] as const)('%o reads %j as %j', (read, text, expected) => {
  expect(outcome(() => read(query(text), 'm'))).toEqual(expected)
})

it.each<[NamedId, string, string, string]>([
  ['token', 'tok_', 'a token id (not a JWT), which begins with tok_', 'not_found'],
  ['approvalRequest', 'apr_', 'the id of an approval request, which begins with apr_', 'approval_request_not_found'],
  ['grant', 'grt_', 'the id of an approval grant, which begins with grt_', 'approval_request_not_found'],
  ['checkpoint', 'ckp_', 'the id of a checkpoint, which begins with ckp_', 'not_found'],
  ['binding', 'bnd_', 'the id of a binding, which begins with bnd_', 'not_found'],
  ['block', 'blk_', 'the id of a block, which begins with blk_', 'not_found'],
])('the id of a %s begins with %s, in a path, a body and a query', (kind, prefix, expected, absent) => {
  const reads = (m: string) => [
    outcome(() => idInPath({ segments: { id: m } }, kind)),
    outcome(() => idMember({ m }, 'm', kind)),
    outcome(() => idInQuery(query(m), 'm', kind)),
    outcome(() => idFilterIn(query(m), 'm', kind)),
  ]
  for (const id of [`${prefix}a`, `${prefix}${'a'.repeat(124)}`]) expect(reads(id)).toEqual([id, id, id, id])
  for (const id of [prefix, `${prefix}${'a'.repeat(125)}`, `${prefix}a.b`, `xxx_a`])
    expect(reads(id)).toEqual([
      { [absent]: `The id in the path must be ${expected}.` },
      { [absent]: `The member m must be ${expected}.` },
      { [absent]: `The query parameter m must be ${expected}.` },
      refused(`The query parameter m must be ${expected}.`),
    ])
})

it('the id of an invocation is inv- and 12 lower-case hex digits', () => {
  const FORM = 'inv- and 12 lower-case hex digits'
  const read = (m: string) => outcome(() => idFilterIn(query(m), 'm', 'invocation'))
  expect(read('inv-0123456789ab')).toBe('inv-0123456789ab')
  expect(read('inv-0123456789AB')).toEqual(refused(`The query parameter m must be ${FORM}.`))
  expect(outcome(() => idInPath({ segments: { id: 'x' } }, 'invocation'))).toEqual({
    not_found: `The id in the path must be ${FORM}.`,
  })
})

it.each(['ey.a.b', 'ey.a.'])('a member that holds the JWT %s in place of its id is malformed', (m) => {
  expect(outcome(() => idMember({ m }, 'm', 'token'))).toEqual(
    refused('The member m must be a token id (not a JWT), which begins with tok_.'),
  )
})

it.each([
  [SHORT, SHORT],
  [SMILES, SMILES],
  [`${SMILES}x`, refused('The member client_reference_id must be a string of up to 256 characters.')],
  ['', ''],
])('a reference of a call counts its characters: %j', (reference, expected) => {
  const body = { parameters: {}, client_reference_id: reference }
  expect(outcome(() => invokeRequestOf(body).client_reference_id)).toEqual(expected)
  expect(clientReferenceOf(body)).toBe(typeof expected === 'string' ? expected : undefined)
})
