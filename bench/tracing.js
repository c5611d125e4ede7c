/**
 * What traces cost a governed read without HTTP, in µs of CPU for each call: switched off, not sampled, and one call in a hundred
 * sampled by the SDK. The three take turns, and the best round of each counts.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import { answerOverHttp } from '../dist/runtime/http/answer.js'
import { tracing } from '../dist/runtime/telemetry/opentelemetry.js'
import { openService } from './invoke/service.js'

const ROUNDS = 15
const CALLS = 3_000
const BODY = Buffer.from('{"parameters":{"city":"Oslo"}}')
/** Takes what it is given, as a collector that is always ready would. */
const exporter = { export: (_, done) => done({ code: 0 }), shutdown: async () => undefined }

const tracerWith = (sampler) =>
  new BasicTracerProvider({ sampler, spanProcessors: [new BatchSpanProcessor(exporter)] }).getTracer('bench')

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-tracing-'))
const { service } = await openService(folder)

const request = (target, bearer, body) => ({
  method: 'POST',
  target,
  client: 'bench',
  header: (name) => ({ authorization: `Bearer ${bearer}`, 'content-type': 'application/json' })[name] ?? null,
  body: async () => body,
})

const KINDS = {
  off: undefined,
  'not sampled': tracing({ tracer: tracerWith(new AlwaysOffSampler()) }),
  '1 in 100': tracing({ tracer: tracerWith(new TraceIdRatioBasedSampler(0.01)) }),
}

const answers = Object.entries(KINDS).map(([kind, with_]) => [kind, answerOverHttp({ ...service, tracing: with_ }), []])
const [, answer] = answers[0]
const { body } = await answer(request('/svc/tokens', 'bench-key', Buffer.from('{"scope":["travel.search"]}')))
const { token } = JSON.parse(body)

async function round(ask) {
  const before = process.cpuUsage()
  for (let call = 0; call < CALLS; call += 50)
    await Promise.all(Array.from({ length: 50 }, () => ask(request('/svc/invoke/search', token, BODY))))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

for (let at = 0; at < ROUNDS + 3; at++)
  for (const [kind, ask, times] of answers) {
    // The context manager of the SDK costs where nobody traces, too: it is switched on only for who does.
    if (kind !== 'off') context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    const µs = await round(ask)
    if (kind !== 'off') context.disable()
    if (at >= 3) times.push(µs)
  }
const least = answers.map(([kind, , times]) => [kind, Math.min(...times)])
for (const [kind, µs] of least) {
  const more = µs / least[0][1] - 1
  console.log(`${kind.padEnd(12)} ${µs.toFixed(1).padStart(7)} µs  ${(more * 100).toFixed(1).padStart(5)} %`)
}
await service.close()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
