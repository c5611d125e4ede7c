/** A service with traces switched off, switched on but not sampled, or sampled once in a hundred calls. Talks to its parent. */
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
import { serve } from '../../dist/runtime/node.js'
import { tracing } from '../../dist/runtime/telemetry/opentelemetry.js'
import { attend } from '../attend.js'
import { openService } from '../invoke/open-service.js'

const [kind, manager] = process.argv.slice(2)
/** Takes what it is given, as a collector that is always ready would. */
const exporter = { export: (_, done) => done({ code: 0 }), shutdown: async () => undefined }

function tracerOf(sampler) {
  if (manager === 'manager') context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  return new BasicTracerProvider({ sampler, spanProcessors: [new BatchSpanProcessor(exporter)] }).getTracer('bench')
}

const TRACINGS = {
  off: () => undefined,
  'not sampled': () => tracing({ tracer: tracerOf(new AlwaysOffSampler()) }),
  '1 in 100': () => tracing({ tracer: tracerOf(new TraceIdRatioBasedSampler(0.01)) }),
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-tracing-'))
const { service } = await openService(folder)
const { url } = await serve({ ...service, tracing: TRACINGS[kind]() }, { port: 0 })
attend(url, () => rmSync(folder, { recursive: true, force: true }))
