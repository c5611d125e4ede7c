import type { Json, JsonObject } from '../../protocol/manifest.js'
import { bodyAtMost } from '../net/read-at-most.js'
import { isRead, READS, UpstreamUncertain, type UpstreamContext } from './context.js'
import type { HttpOperation, HttpOutput } from './operation.js'

const changesNothing = ({ method }: HttpOperation, context: UpstreamContext): boolean =>
  isRead(context, READS.has(method))

/**
 * The service behind has not answered, or not with an answer: refused where nothing can have happened, else uncertain
 * (decisions, section 11).
 */
export function endUnanswered(
  operation: HttpOperation,
  context: UpstreamContext,
  why: string,
  isCertain = false,
): never {
  if (isCertain || changesNothing(operation, context)) return context.fail('upstream_unavailable', why)
  throw new UpstreamUncertain(`${why} Whether it acted is unknown.`)
}

/** The result of an answer. Of a refusal only the status is passed on: its text may hold anything. */
export async function outputOfAnswer(
  name: string,
  operation: HttpOperation,
  response: Response,
  mostBytes: number,
  context: UpstreamContext,
): Promise<JsonObject> {
  const { status } = response
  if (response.ok)
    return outputOf(operation.output, status, await contentOf(name, operation, response, mostBytes, context))
  void response.body?.cancel().catch(() => undefined)
  if (status === 401 || status === 403 || status === 407)
    return context.fail('upstream_unavailable', `${name} refused this service's own credential (${status}).`, {
      status,
    })
  if (status >= 400 && status < 500 && status !== 408)
    return context.fail('upstream_refused', `${name} refused the call (${status}).`, { status })
  if (status < 400)
    return endLedElsewhere(operation, context, status, `${name} led elsewhere (${status}), which is not followed.`)
  return endUnanswered(operation, context, `${name} failed (${status}).`)
}

/** 303 See Other is how a POST that was carried out is often answered, so what led elsewhere may have acted. */
function endLedElsewhere(operation: HttpOperation, context: UpstreamContext, status: number, why: string): never {
  if (changesNothing(operation, context)) return context.fail('upstream_unavailable', why, { status })
  return endUnanswered(operation, context, why)
}

async function contentOf(
  name: string,
  operation: HttpOperation,
  response: Response,
  mostBytes: number,
  context: UpstreamContext,
): Promise<Json> {
  const bytes = await bodyAtMost(response, mostBytes).catch(() =>
    endUnanswered(operation, context, `${name} broke off.`),
  )
  if (bytes === undefined) return endUnanswered(operation, context, `${name} answered more than ${mostBytes} bytes.`)
  if (bytes.length === 0) return null
  const text = Buffer.from(bytes).toString('utf8')
  if (!/[/+]json\b/iu.test(response.headers.get('content-type') ?? '')) return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return endUnanswered(operation, context, `${name} answered with broken JSON.`)
  }
}

function outputOf(output: HttpOutput, status: number, content: Json): JsonObject {
  if ('as' in output) return output.as === 'status' ? { status } : { [output.as]: content }
  const members =
    typeof content === 'object' && content !== null && !Array.isArray(content) ? (content as JsonObject) : {}
  return Object.fromEntries(
    output.members.map((field) => {
      const name = output.renamed?.[field] ?? field
      return [field, Object.hasOwn(members, name) ? members[name]! : null]
    }),
  )
}
