/** Response to a JSON-RPC request: a result, an error whose `data` is the whole failure, or a stream. */
import type { Operation } from '../../protocol/endpoints.js'
import { traceContextOf } from '../../protocol/trace-context.js'
import type { Failure } from '../../protocol/failures.js'
import type { JsonObject } from '../../protocol/manifest.js'
import type { EndpointAnswer } from '../endpoint/endpoint.js'
import { endpoints } from '../endpoints/index.js'
import { errorResponseOf } from '../endpoint/error-response.js'
import type { Service } from '../service.js'
import { CODES, errorLine, resultLine, type RpcId } from './json-rpc.js'
import { callOf, discoveryOverStdio } from './rpc-call.js'

/** Gives the line of an answer. */
type Line = (id: RpcId) => string

export type RpcAnswer = { readonly line: Line } | { readonly events: ReadableStream<Uint8Array> }

export async function answerTo(service: Service, operation: Operation, params: JsonObject): Promise<RpcAnswer> {
  const caller = {}
  const trace = traceContextOf(params['traceparent'], params['tracestate'])
  try {
    const call = callOf(operation, params)
    if (operation === 'discovery') return result(JSON.stringify(discoveryOverStdio(service.manifest)))
    return rpcAnswerOf(await endpoints[operation](service, { ...call, caller }))
  } catch (error) {
    const { body, retryAfter } = errorResponseOf(service, operation, { caller, trace }, error)
    return { line: failureLine(body, retryAfter) }
  }
}

const result = (text: string): RpcAnswer => ({ line: (id) => resultLine(id, text) })

function rpcAnswerOf(answer: EndpointAnswer): RpcAnswer {
  if ('events' in answer) return answer
  if ('metrics' in answer) return result(JSON.stringify(answer.metrics))
  if ('note' in answer) return result(JSON.stringify(answer.note))
  if ('document' in answer) return result(documentText(answer.document))
  if ('value' in answer) return result(JSON.stringify(answer.value))
  if (answer.status === 200) return result(answer.text)
  return { line: failureLine(JSON.parse(answer.text) as FailedBody, answer.retryAfter) }
}

type Document = Extract<EndpointAnswer, { readonly document: unknown }>['document']

/** A document byte for byte; a signed one beside its signature, because there is no header to carry it. */
function documentText({ bytes, signature }: Document): string {
  const text = Buffer.from(bytes).toString()
  return signature === undefined ? text : `{"manifest":${text},"signature":${JSON.stringify(signature)}}`
}

interface FailedBody {
  readonly success?: false
  readonly failure: Failure
}

/**
 * A failure with, beside its own members, what its envelope says of the invocation, and after how many seconds to try
 * again.
 */
export function failureLine({ success: _, failure, ...envelope }: FailedBody, retryAfter?: number): Line {
  const code = failure.type === 'invalid_parameters' ? CODES.params : CODES.failed
  const beside = retryAfter === undefined ? envelope : { ...envelope, retry_after: retryAfter }
  return (id) => errorLine(id, code, failure, beside)
}
