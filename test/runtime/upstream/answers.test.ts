/** What a 2xx answer is to a read and to a change (decisions, section 19). */
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/protocol/manifest.js'
import { readAs } from '../../../src/protocol/upstream-requests.js'
import { fitted } from '../../../src/runtime/call/execute/fitted.js'
import { Refusal } from '../../../src/runtime/errors/refusal.js'
import { answeredOf } from '../../../src/runtime/json/answered-upstream.js'
import { outputFields } from '../../../src/runtime/call/inputs/values.js'
import { outputOfAnswer } from '../../../src/runtime/upstream/http-answer.js'
import { UpstreamUncertain, type HttpOperation, type UpstreamContext } from '../../../src/runtime/upstream/index.js'

const MEMBERS = { members: ['id', 'name'] }
const JSON_ONLY = { 200: ['application/json'], 204: [] }

const contextOf = (sideEffect: 'read' | 'write') =>
  ({ sideEffect, fail: (type: string, detail: string) => { throw new Error(`${type}: ${detail}`) } }) as unknown as UpstreamContext // prettier-ignore

async function outcomeOf(
  sideEffect: 'read' | 'write',
  body: string | Uint8Array<ArrayBuffer> | null,
  headers: { readonly [name: string]: string } = { 'content-type': 'application/json' },
  { status = 200, ...more }: Partial<HttpOperation> & { readonly status?: number } = {},
): Promise<unknown> {
  const operation = { method: 'POST', path: '/', inputs: {}, output: MEMBERS, answers: JSON_ONLY, ...more } as HttpOperation // prettier-ignore
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const response = new Response(bytes, { status, headers })
  try {
    const result = await outputOfAnswer('desk', operation, response, 1000, contextOf(sideEffect))
    const { deviations } = answeredOf(result)!
    return deviations.length === 0 ? result : [result, ...deviations]
  } catch (error) {
    if (error instanceof UpstreamUncertain) return 'unknown'
    if (error instanceof Refusal) return [error.failure.type, error.retryAfter].filter((each) => each !== undefined).join(' ') // prettier-ignore
    return (error as Error).message.split(':')[0]
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const HTML = { 'content-type': 'text/html; charset=utf-8' }
const PLAIN = { 'content-type': 'text/plain' }
const FOUND = { id: 1, name: 'a' }
const TEXT = '{"id":1,"name":"a"}'
const not = (expected: string, got: string) => [{}, { pointer: '', expected, got }]

describe('an answer', () => {
  it.each<[string, string | null, { readonly [name: string]: string }, unknown, unknown]>([
    ['as described', TEXT, JSON_TYPE, FOUND, FOUND],
    ['in another JSON', TEXT, { 'content-type': 'application/hal+json' }, FOUND, FOUND],
    ['with a byte order mark', `\ufeff${TEXT}`, JSON_TYPE, FOUND, FOUND],
    ['in JSON called a text', TEXT, PLAIN, FOUND, FOUND],
    ['in JSON without a type', TEXT, {}, FOUND, FOUND],
    ['that is a page', '<html>', HTML, 'upstream_answer_invalid', 'unknown'],
    ['that is a text', 'no', PLAIN, 'upstream_answer_invalid', 'unknown'],
    ['that is empty', '', JSON_TYPE, 'upstream_answer_invalid', 'unknown'],
    ['in broken JSON', '{"a":', JSON_TYPE, 'upstream_answer_invalid', not('JSON', 'a text that is no JSON')],
    ['that is a list', '[1]', JSON_TYPE, 'upstream_answer_invalid', not('an object', 'an array')],
    ['that is null', 'null', JSON_TYPE, 'upstream_answer_invalid', not('an object', 'a single value')],
  ])('%s', async (_, body, headers, read, change) => {
    expect([await outcomeOf('read', body, headers), await outcomeOf('write', body, headers)]).toEqual([read, change])
  }) // prettier-ignore

  it.each<[number, { readonly [status: string]: readonly string[] }, string | null, unknown]>([
    [204, JSON_ONLY, null, {}],
    [201, { 201: [] }, '<html>', {}],
    [202, { 200: ['application/json'] }, TEXT, FOUND],
    [202, { '2XX': ['application/json'] }, TEXT, FOUND],
    [202, { 200: ['application/json'] }, '', 'unknown'],
    [202, { 200: [] }, 'anything', {}],
  ])('of the status %i where %j is described', async (status, answers, body, expected) => {
    expect(await outcomeOf('write', body, JSON_TYPE, { status, answers })).toEqual(expected)
  })

  it.each<[number, { readonly [status: string]: readonly string[] }, string, unknown]>([
    [200, { 204: [] }, '<html>', 'unknown'],
    [200, { 204: [] }, '', { status: 200 }],
    [204, { 204: [] }, '', { status: 204 }],
    [200, { 200: [] }, '<html>', { status: 200 }],
    [200, { '2XX': [] }, '<html>', { status: 200 }],
  ])('with the status %i that is a page, where %j is described: %j', async (status, answers, body, expected) => {
    const output = { as: 'status' } as const
    expect(await outcomeOf('write', status === 204 ? null : body, HTML, { status, answers, output })).toEqual(expected)
  })

  it('is nothing where a text is described for its status, and members for another', async () => {
    const answers = { 200: ['application/json'], 202: ['text/plain'] }
    const operation = { method: 'GET', path: '/', inputs: {}, output: MEMBERS, answers } as const
    const result = await outputOfAnswer('desk', operation, new Response('later', { status: 202, headers: PLAIN }), 1000, contextOf('read'))
    expect([result, answeredOf(result)!.isEmpty]).toEqual([{}, true])
    expect(await outcomeOf('read', 'later', PLAIN, { status: 200, answers })).toBe('upstream_answer_invalid')
  }) // prettier-ignore

  it('is a text or bytes where that is described, and its status and address where nothing is', async () => {
    const value = { output: { as: 'value' } as const }
    expect(await outcomeOf('read', 'a,b', { 'content-type': 'text/csv' }, { ...value, answers: { 200: ['text/csv'] } })).toEqual({ value: 'a,b' }) // prettier-ignore
    expect(await outcomeOf('read', Buffer.from([0xff, 0]), { 'content-type': 'application/pdf' }, { ...value, answers: { 200: ['application/pdf'] } })).toEqual({ value: '/wA=' }) // prettier-ignore
    expect(await outcomeOf('write', '', { location: '/a/1' }, { status: 201, output: { as: 'status', location: true }, answers: { 201: [] } })).toEqual({ status: 201, location: '/a/1' }) // prettier-ignore
  })

  it.each<[string, string, string]>([
    ['text/plain; charset=iso-8859-1', 'text/plain', 'caf\u00e9'],
    ['text/csv;charset="windows-1252"', 'text/csv', 'caf\u00e9'],
    ['application/json; charset=latin1', 'application/json', 'caf\u00e9'],
    ['text/plain; charset=none-such', 'text/plain', 'caf\ufffd'],
  ])('of the type %s is read by its charset', async (type, described, expected) => {
    const bytes = new Uint8Array(Buffer.from(described === 'application/json' ? '"caf\u00e9"' : 'caf\u00e9', 'latin1'))
    const value = { output: { as: 'value' }, answers: { 200: [described] } } as const
    expect(await outcomeOf('read', bytes, { 'content-type': type }, value)).toEqual({ value: expected })
  })

  it.each<[string, object, string, { readonly [name: string]: string }, unknown]>([
    ['*/*', MEMBERS, '<html>', HTML, 'unknown'],
    ['*/*', MEMBERS, 'done', PLAIN, 'unknown'],
    ['*/*', MEMBERS, TEXT, { 'content-type': 'application/hal+json' }, FOUND],
    ['*/*', { as: 'value' }, 'done', PLAIN, { value: 'done' }],
    ['*/*', { as: 'value' }, '12', PLAIN, { value: 12 }],
    ['*/*', { as: 'value', text: true }, '12', PLAIN, { value: '12' }],
    ['*/*', { as: 'value', text: true }, '"a"', JSON_TYPE, { value: 'a' }],
    ['text/plain', { as: 'value', text: true }, '12', PLAIN, { value: '12' }],
    ['application/json', { as: 'value', text: true }, '"a"', PLAIN, { value: 'a' }],
    ['application/json', { as: 'value', text: true }, 'a', PLAIN, 'unknown'],
  ])(
    'of a change that is described as %s, with the output %j: %s',
    async (described, output, body, headers, expected) => {
      const answers = { 200: described === 'text/plain' ? [described, 'application/json'] : [described] }
      expect(await outcomeOf('write', body, headers, { output: output as never, answers })).toEqual(expected)
    },
  )

  it('keeps the digits of numbers that no number holds', async () => {
    const given = '{"id":10765432100123456789,"name":[9007199254740991,-9007199254740993,1e3,"12345678901234567890"]}'
    expect(await outcomeOf('read', given)).toEqual({ id: '10765432100123456789', name: [9_007_199_254_740_991, '-9007199254740993', 1000, '12345678901234567890'] }) // prettier-ignore
  })

  it.each<[number, { readonly [name: string]: string }, string]>([
    [429, {}, 'rate_limited 30'],
    [429, { 'retry-after': '7' }, 'rate_limited 7'],
    [429, { 'retry-after': 'Sat, 28 Nov 2026 12:00:20 GMT', date: 'Sat, 28 Nov 2026 12:00:00 GMT' }, 'rate_limited 20'],
    [429, { 'retry-after': '999999' }, 'rate_limited 86400'],
    [503, { 'retry-after': '0' }, 'service_unavailable 1'],
    [503, {}, 'unknown'],
    [500, { 'retry-after': '7' }, 'unknown'],
  ])('of a change with the status %i and %j is %s', async (status, headers, expected) => {
    expect(await outcomeOf('write', null, headers, { status })).toBe(expected)
  })
})

describe('a result', () => {
  const check = outputFields({ id: 'integer', name: ['string', 'null'], lines: 'array' })
  const judge = (
    result: { [field: string]: Json },
    terms: { readonly isRead: boolean; readonly isStrict?: boolean },
  ) => {
    try {
      return [fitted(check, result, { isStrict: false, isEmpty: false, isWhole: false, deviations: [], judged: structuredClone(result), ...terms }), result] // prettier-ignore
    } catch (error) {
      return (error as Error).message
    }
  }
  const GOOD = { id: 1, name: null, lines: [] }

  it('that fits is as it is', () => {
    expect(judge({ ...GOOD }, { isRead: true, isStrict: true })).toEqual([[], GOOD])
  })

  it('of a change, or of a loose read, keeps what fits and lists what does not', () => {
    const deviation = { pointer: '/name', expected: 'a string, or null', got: '7' }
    for (const isRead of [true, false])
      expect(judge({ ...GOOD, name: 7 }, { isRead })).toEqual([[deviation], { id: 1, lines: [] }])
  })

  it('of a read fails where a required member is missing or null, and of a change lacks it', () => {
    expect(judge({ ...GOOD, id: null }, { isRead: true })).toBe('The member /id of the answer of the service behind should be a whole number within ±(2^53 - 1), and is null.') // prettier-ignore
    expect(judge({}, { isRead: false })).toMatchObject([
      [{ pointer: '/id', got: 'nothing' }, { pointer: '/name' }, { pointer: '/lines' }],
      {},
    ])
  })

  it('that is one value as a whole fails for a read where it does not fit, and of a change is nothing', () => {
    const ofWhole = (isRead: boolean) => {
      try {
        return fitted(outputFields({ value: 'boolean' }), { value: 'a' }, { isStrict: false, isEmpty: false, isWhole: true, deviations: [], judged: { value: 'a' }, isRead }) // prettier-ignore
      } catch (error) {
        return (error as Error).message
      }
    }
    expect([ofWhole(true), ofWhole(false)]).toEqual([
      'The member /value of the answer of the service behind should be true or false, and is "a".',
      [{ pointer: '/value', expected: 'true or false', got: '"a"' }],
    ])
  })

  it('of many items lacks what does not fit in each of them', () => {
    const result = { id: 1, name: null, lines: Array.from({ length: 200 }, (_, at) => ({ at, bad: null })) }
    const bad = (value: unknown) => {
      const at = (value as typeof result).lines.findIndex((line) => 'bad' in line)
      return at === -1 ? [] : [{ path: `/lines/${at}/bad`, message: 'must be a string' }]
    }
    const deviations = fitted(bad, result, { isRead: true, isStrict: false, isEmpty: false, isWhole: false, deviations: [], judged: structuredClone(result) }) // prettier-ignore
    expect([deviations.length, result.lines.length, result.lines[199]]).toEqual([20, 200, { at: 199 }])
  })

  it('of a strict read fails on any deviation', () => {
    expect(judge({ ...GOOD, name: 7 }, { isRead: true, isStrict: true })).toBe('The member /name of the answer of the service behind should be a string, or null, and is 7.') // prettier-ignore
  })
})

it.each([
  ['application/json', 'json'],
  ['application/vnd.a+json; charset=utf-8', 'json'],
  ['*/*', 'json'],
  ['text/csv', 'text'],
  ['application/xml', 'text'],
  ['image/svg+xml', 'text'],
  ['application/octet-stream', 'bytes'],
  ['application/pdf', 'bytes'],
  ['', 'bytes'],
])('a body of the type %j is read as %s', (type, as) => {
  expect(readAs(type)).toBe(as)
})
