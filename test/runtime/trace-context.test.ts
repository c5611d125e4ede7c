/** A caller's trace reaches the handler of its call (decisions, section 13), by HTTP and by stdio; what is none is dropped. */
import { describe, expect, it } from 'vitest'
import { traceContextOf, type TraceContext } from '../../src/protocol/trace-context.js'
import { answerTo } from '../../src/runtime/rpc/rpc-answer.js'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const [TRACE, PARENT] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
const GIVEN = `00-${TRACE}-${PARENT}-01`

describe('a trace context', () => {
  it.each([
    [GIVEN, undefined, { traceparent: GIVEN }],
    [GIVEN, 'vendor=1,other=2', { traceparent: GIVEN, tracestate: 'vendor=1,other=2' }],
    [GIVEN, `v=${'x'.repeat(511)}`, { traceparent: GIVEN }],
    [GIVEN, 'v=1\r\nx: 1', { traceparent: GIVEN }],
    [GIVEN, 7, { traceparent: GIVEN }],
    [`cc-${TRACE}-${PARENT}-00-more`, undefined, { traceparent: `cc-${TRACE}-${PARENT}-00-more` }],
  ])('is taken from %s and %s', (traceparent, tracestate, context) => {
    expect(traceContextOf(traceparent, tracestate)).toEqual(context)
  })

  it.each([
    [null], [7], [''], [TRACE], [`${GIVEN}, ${GIVEN}`], [`${GIVEN}-more`], [GIVEN.toUpperCase()], [` ${GIVEN}`], [`${GIVEN}\n`],
    [`ff-${TRACE}-${PARENT}-01`], [`00-${'0'.repeat(32)}-${PARENT}-01`], [`00-${TRACE}-${'0'.repeat(16)}-01`], [`00-${TRACE}-${PARENT}-1`],
    [`cc-${TRACE}-${PARENT}-00-${'x'.repeat(201)}`],
  ])('is none where it says %j', (traceparent) => {
    expect(traceContextOf(traceparent, 'vendor=1')).toBeUndefined()
  }) // prettier-ignore
})

async function start() {
  const seen: (TraceContext | undefined)[] = []
  const fixture = await startFixture({
    capabilities: { search: capability({ response_modes: ['unary', 'streaming'] }) },
    handlers: { search: (_: object, { trace }: { readonly trace?: TraceContext }) => (seen.push(trace), {}) },
  })
  const { token } = await fixture.root()
  return { fixture, seen, token }
}

describe('the handler sees the trace of its caller', () => {
  it('over HTTP, for a whole answer and for a stream', async () => {
    const { fixture, seen, token } = await start()
    const headers = { traceparent: GIVEN, tracestate: 'vendor=1' }
    await fixture.invoke('search', token, { parameters: {} }, headers)
    await fixture.fetch(
      new Request('http://127.0.0.1:4100/svc/invoke/search', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: '{"parameters":{},"stream":true}',
      }),
    ).then((response) => response.text()) // prettier-ignore
    await fixture.invoke('search', token, { parameters: {} })
    const { status } = await fixture.invoke('search', token, { parameters: {} }, { traceparent: 'none' })
    const context = { traceparent: GIVEN, tracestate: 'vendor=1' }
    expect([seen, status]).toEqual([[context, context, undefined, undefined], 200])
  })

  it('over stdio', async () => {
    const { fixture, seen, token } = await start()
    const call = { auth: { bearer: token }, capability: 'search', parameters: {} }
    await answerTo(fixture.service, 'invoke', { ...call, traceparent: GIVEN, tracestate: 'vendor=1' })
    await answerTo(fixture.service, 'invoke', { ...call, traceparent: 7 })
    expect(seen).toEqual([{ traceparent: GIVEN, tracestate: 'vendor=1' }, undefined])
  })
})
