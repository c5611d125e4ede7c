/**
 * The stdio surface (decisions, section 8): JSON-RPC 2.0, one message a line, over the very endpoints that HTTP calls.
 */
import { NUL } from '../../crypto/json/strict-json.js'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { failure, type Failure } from '../../protocol/failures.js'
import type { Operation } from '../../protocol/endpoints.js'
import type { Service } from '../service.js'
import {
  CODES,
  errorLine,
  notificationLine,
  requestIn,
  resultLine,
  trouble,
  type RpcId,
  type RpcTrouble,
} from '../rpc/json-rpc.js'
import { linesOf } from './lines.js'
import { answerTo, failureLine } from '../rpc/rpc-answer.js'
import { methodsOf } from '../rpc/rpc-call.js'
import { eventsIn } from '../http/server-sent-events.js'

interface Session {
  readonly service: Service
  readonly methods: ReadonlyMap<string, Operation>
  readonly write: Write
}

/** Writes a line; resolves when the reader has room for more, or is gone. */
type Write = (line: string) => Promise<void>

/**
 * Answers every line of the input on the output, until the input ends and all is answered. So many requests run at a
 * time, and no more is read meanwhile; nothing is written faster than it is read.
 */
export async function answerLines(service: Service, input: AsyncIterable<Uint8Array>, output: Writable): Promise<void> {
  const session = { service, methods: methodsOf(service.manifest), write: writerTo(output) }
  const running = new Set<Promise<void>>()
  for await (const line of linesOf(input, mostBytes(service))) {
    const answered = answerLine(session, line).finally(() => running.delete(answered))
    running.add(answered)
    if (running.size >= service.limits.stdioConcurrency) await Promise.race(running)
  }
  await Promise.all(running)
}

/** A body, and beside it what HTTP has in headers. */
const mostBytes = ({ limits }: Service): number => limits.bodyBytes + limits.headerBytes

function writerTo(output: Writable): Write {
  let gone = output.destroyed
  const leave = () => (gone = true)
  output.on('error', leave).on('close', leave)
  const put = async (line: string) => {
    if (gone || output.write(line)) return
    await Promise.race([once(output, 'drain'), once(output, 'close')]).then(undefined, leave)
  }
  let turn = Promise.resolve()
  return (line) => (turn = turn.then(() => put(line)))
}

async function answerLine({ service, methods, write }: Session, line: Uint8Array | 'too_long'): Promise<void> {
  const { jsonDepth, jsonMembers, jsonValues } = service.limits
  const bounds = { maxDepth: jsonDepth + 1, maxMembers: jsonMembers, maxValues: jsonValues, refuses: NUL } as const
  const asked = line === 'too_long' ? tooLong(service) : requestIn(line, bounds)
  if (!('method' in asked)) return write(errorLine(asked.id, asked.code, asked.failure))
  const { id, method, params } = asked
  const say: Write = id === undefined ? async () => undefined : write
  const operation = methods.get(method)
  if (operation === undefined) return say(errorLine(id ?? null, CODES.method, noSuchMethod(methods)))
  const answer = await answerTo(service, operation, params)
  if ('line' in answer) return say(answer.line(id ?? null))
  return follow(answer.events, id ?? null, say)
}

const tooLong = (service: Service): RpcTrouble =>
  trouble('request', null, failure('payload_too_large', `A message may have ${mostBytes(service)} bytes at most.`))

const noSuchMethod = (methods: Session['methods']): Failure =>
  failure('not_found', `There is no such method; there are ${[...methods.keys()].join(', ')}.`)

/** A stream: its progress as notifications while the handler runs, its end as the response. */
async function follow(events: ReadableStream<Uint8Array>, id: RpcId, say: Write): Promise<void> {
  for await (const { event, data } of eventsIn(events)) {
    if (event === 'progress') await say(notificationLine('svc.progress', { id, ...(JSON.parse(data) as object) }))
    else if (event === 'completed') await say(resultLine(id, data))
    else await say(failureLine(JSON.parse(data) as Parameters<typeof failureLine>[0])(id))
  }
}
