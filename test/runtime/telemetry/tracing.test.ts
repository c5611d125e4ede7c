/** From an agent's `traceparent` to what the handler does, as an OTLP receiver gets it (decisions, section 13). */
import { createServer } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { context, SpanKind, trace, type Context, type SpanOptions } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  AlwaysOffSampler,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { HandlerContext } from '../../../src/runtime/index.js'
import { answerTo } from '../../../src/runtime/rpc/rpc-answer.js'
import { tracing } from '../../../src/runtime/telemetry/opentelemetry.js'
import { capability } from '../fixture/manifest.js'
import { startFixture, type Given } from '../fixture/service.js'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SAMPLED = `00-${TRACE}-00f067aa0ba902b7-01`

interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly status: { readonly code: number }
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[]
}

interface Otlp {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[] }[]
}

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
afterAll(() => context.disable())

/** A receiver of OTLP/HTTP, and an SDK as an operator sets it up. */
async function startReceiver(status = 200) {
  const spans: OtlpSpan[] = []
  const server = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse(await text(request)) as Otlp
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  const exporter = new OTLPTraceExporter({
    url: `http://127.0.0.1:${port}/v1/traces`,
    timeoutMillis: status === 200 ? 10_000 : 300,
  })
  const provider = new BasicTracerProvider({
    sampler: new ParentBasedSampler({ root: new AlwaysOffSampler() }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  onTestFinished(async () => {
    await provider.shutdown().catch(() => undefined)
    server.close()
  })
  return { spans, provider, tracer: provider.getTracer('test') }
}

async function start(given: Given = {}) {
  const receiver = await startReceiver()
  const { tracer } = receiver
  const seen: HandlerContext['trace'][] = []
  const search = (_: object, { trace: here, log }: HandlerContext) => {
    seen.push(here)
    log.info('Looked it up.')
    // A client library of the author's: it finds its parent by itself.
    tracer.startSpan('select').end()
    return {}
  }
  const fixture = await startFixture({
    tracing: tracing({ tracer }),
    capabilities: { search: capability({ response_modes: ['unary', 'streaming'] }) },
    handlers: { search: search as never },
    ...given,
  })
  const { token } = await fixture.root()
  return { ...receiver, fixture, token, seen }
}

/** Name -> the name of the span that it is within; the caller's is `caller`. */
function treeOf(spans: readonly OtlpSpan[]): readonly string[] {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]))
  names.set('00f067aa0ba902b7', 'caller')
  return spans.map(({ name, parentSpanId = '' }) => `${names.get(parentSpanId)} > ${name}`).toSorted()
}

const WHOLE = [
  'caller > execute_tool search',
  'execute_tool search > check',
  'execute_tool search > handler',
  'execute_tool search > record',
  'execute_tool search > reserve',
  'handler > select',
]

const CALLS = {
  HTTP: ({ fixture, token }, headers) => fixture.invoke('search', token, { parameters: {} }, headers),
  'a stream': ({ fixture, token }, headers) =>
    fixture
      .fetch(
        new Request('http://127.0.0.1/svc/invoke/search', {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
          body: '{"parameters":{},"stream":true}',
        }),
      )
      .then((response) => response.text()),
  stdio: ({ fixture, token }, headers) =>
    answerTo(fixture.service, 'invoke', { auth: { bearer: token }, capability: 'search', parameters: {}, ...headers }),
} satisfies {
  [surface: string]: (world: Awaited<ReturnType<typeof start>>, headers: { traceparent: string }) => Promise<unknown>
}

it.each(Object.entries(CALLS))('links the call of an agent to what its handler does, over %s', async (_, call) => {
  const world = await start()
  await call(world, { traceparent: SAMPLED })
  await world.provider.forceFlush()
  expect(treeOf(world.spans)).toEqual(WHOLE)
  expect(new Set(world.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]))
  const whole = world.spans.find(({ name }) => name === 'execute_tool search')!
  expect(whole.attributes.map(({ key }) => key)).toEqual([
    'gen_ai.operation.name',
    'gen_ai.tool.name',
    'svc.invocation_id',
  ])
  const handler = world.spans.find(({ name }) => name === 'handler')!
  expect(world.seen).toEqual([{ traceparent: `00-${TRACE}-${handler.spanId}-01` }])
  expect(world.fixture.logged.filter((line) => line.startsWith('Looked it up.'))).toEqual([
    `Looked it up. ${JSON.stringify({ trace_id: TRACE, span_id: handler.spanId })}`,
  ])
})

it.each([
  ['of a caller that does not record', `00-${TRACE}-00f067aa0ba902b7-00`],
  ['without a caller', undefined],
  ['of a caller that makes one up', 'none'],
  ['of all zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
])('exports nothing %s where the sampler goes by the parent', async (_, traceparent) => {
  const { fixture, token, provider, spans } = await start()
  const reply = await fixture.invoke(
    'search',
    token,
    { parameters: {} },
    traceparent === undefined ? {} : { traceparent },
  )
  await provider.forceFlush()
  expect([reply.status, spans]).toEqual([200, []])
})

it('names the failure, a fault of the service as an error, and no capability that a caller makes up', async () => {
  const { fixture, token, provider, spans } = await start({
    handlers: { search: () => { throw new Error('The cupboard is bare.') } },
  }) // prettier-ignore
  await fixture.invoke('search', token, { parameters: {} }, { traceparent: SAMPLED })
  await fixture.invoke('made-up', token, { parameters: {} }, { traceparent: SAMPLED })
  await provider.forceFlush()
  const calls = spans.filter(({ name }) => name.startsWith('execute_tool'))
  const told = calls.map(({ name, status, attributes }) => [name, status.code, attributes.at(-1)?.value.stringValue])
  expect(told).toEqual([
    ['execute_tool search', 2, 'internal_error'],
    ['execute_tool unknown', 0, 'unknown_capability'],
  ])
  expect(JSON.stringify(spans)).not.toContain('cupboard')
})

it('a call that was made before is answered again, which is no failure', async () => {
  const { fixture, token, provider, spans } = await start()
  for (let times = 0; times < 2; times++)
    await fixture.invoke('search', token, { parameters: {} }, { traceparent: SAMPLED, 'idempotency-key': 'k' })
  await provider.forceFlush()
  const calls = spans.filter(({ name }) => name === 'execute_tool search')
  const told = calls.map(({ status, attributes }) => [status.code, attributes.map(({ key }) => key).includes('error.type')]) // prettier-ignore
  expect(told).toEqual([
    [0, false],
    [0, false],
  ])
})

it('is in nobody’s way when the receiver refuses', async () => {
  const { provider, tracer } = await startReceiver(503)
  const fixture = await startFixture({ tracing: tracing({ tracer }) })
  const { token } = await fixture.root()
  const replies = await Promise.all(
    Array.from({ length: 200 }, () => fixture.invoke('search', token, { parameters: {} }, { traceparent: SAMPLED })),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  void provider.forceFlush().catch(() => undefined)
})

it('without an SDK passes on the trace of the caller', async () => {
  const seen: unknown[] = []
  const fixture = await startFixture({
    tracing: tracing({ tracer: trace.getTracer('nobody') }),
    handlers: { search: ((_: object, { trace: here }: HandlerContext) => (seen.push(here), {})) as never },
  })
  const { token } = await fixture.root()
  await fixture.invoke('search', token, { parameters: {} }, { traceparent: SAMPLED, tracestate: 'vendor=1' })
  await fixture.invoke('search', token)
  expect(seen).toEqual([{ traceparent: SAMPLED, tracestate: 'vendor=1' }, undefined])
})

it('a refusal before an invocation names the trace in its line', async () => {
  const { fixture } = await start()
  await fixture.invoke('search', 'no-token', { parameters: {} }, { traceparent: SAMPLED })
  expect(fixture.logged.find((line) => line.startsWith('A request was refused.'))).toContain(`"trace_id":"${TRACE}"`)
})

it('a call ends once, with its stage, whoever ends it again', () => {
  const ended: string[] = []
  const startSpan = (name: string) => ({ isRecording: () => true, setAttribute: () => undefined, setStatus: () => undefined, end: () => void ended.push(name) }) // prettier-ignore
  const span = tracing({ tracer: { startSpan } as never }).begin({ capability: 'search', invocationId: 'inv-1' }, undefined) // prettier-ignore
  span.stage('check')
  span.stage('handler')
  span.end(undefined)
  span.end('internal_error')
  expect(ended).toEqual(['check', 'handler', 'execute_tool search'])
})

/** What a tracer was asked to begin: the name, the kind, and what is above it. */
function beginning(isRecording: boolean) {
  const begun: unknown[] = []
  const startSpan = (name: string, { kind }: SpanOptions, above: Context) => {
    const { traceState, ...parent } = trace.getSpanContext(above) ?? {}
    begun.push([name, kind, { ...parent, ...(traceState && { state: traceState.serialize() }) }])
    const own = { traceId: TRACE, spanId: String(begun.length).padStart(16, '0'), traceFlags: 17 }
    return { spanContext: () => own, isRecording: () => isRecording, end: () => undefined }
  }
  const { begin } = tracing({ tracer: { startSpan } as never })
  return { begun, begin: (caller?: Parameters<typeof begin>[1]) => begin({ capability: 'search', invocationId: 'inv-1' }, caller) } // prettier-ignore
}

it('a call is served within the span of its caller, which is in another process', () => {
  const { begun, begin } = beginning(true)
  begin({ traceparent: `00-${TRACE}-00f067aa0ba902b7-11`, tracestate: 'vendor=1' })
  begin()
  expect(begun).toEqual([
    ['execute_tool search', SpanKind.SERVER, { traceId: TRACE, spanId: '00f067aa0ba902b7', traceFlags: 17, isRemote: true, state: 'vendor=1' }],
    ['execute_tool search', SpanKind.SERVER, {}],
  ])
}) // prettier-ignore

it('a step is within the stage of its call, in the same process; what is called goes on from there', () => {
  const { begun, begin } = beginning(true)
  const span = begin()
  expect(span.context()).toEqual({ traceparent: `00-${TRACE}-0000000000000001-11` })
  span.stage('handler')
  expect(span.context()).toEqual({ traceparent: `00-${TRACE}-0000000000000002-11` })
  const step = span.step({ capability: 'quote', invocationId: 'inv-2' })
  step.stage('check')
  expect(begun.slice(1)).toEqual([
    ['handler', undefined, { traceId: TRACE, spanId: '0000000000000001', traceFlags: 17 }],
    ['execute_tool quote', SpanKind.INTERNAL, { traceId: TRACE, spanId: '0000000000000002', traceFlags: 17 }],
    ['check', undefined, { traceId: TRACE, spanId: '0000000000000003', traceFlags: 17 }],
  ])
})

it('a call that is not recorded has no spans for its stages', () => {
  const { begun, begin } = beginning(false)
  const span = begin()
  span.stage('check')
  span.stage('handler')
  expect(begun).toHaveLength(1)
  expect(span.context()).toEqual({ traceparent: `00-${TRACE}-0000000000000001-11` })
})
