import { isRecord } from '../../../crypto/json/kinds.js'
import { NUL, parseStrictJson } from '../../../crypto/json/strict-json.js'
import type { Json } from '../../../protocol/manifest.js'
import { CODES } from '../../rpc/json-rpc.js'
import type { RuntimeLimits } from '../../limits.js'
import { linesOf } from '../lines.js'

type JsonLimits = Pick<RuntimeLimits, 'jsonDepth' | 'jsonMembers' | 'jsonValues'>

/**
 * The messages of a client that are JSON as a body over HTTP must be; any other is answered with an error and goes no
 * further. What is no JSON at all is passed on: the SDK skips it. A message that is too large ends the lines.
 */
export async function* acceptableLines(
  input: AsyncIterable<Uint8Array>,
  { jsonDepth: maxDepth, jsonMembers: maxMembers, jsonValues: maxValues }: JsonLimits,
  mostBytes: number,
  { answer, refused }: { readonly answer: (line: string) => Promise<void>; readonly refused: (why: string) => void },
): AsyncGenerator<Uint8Array> {
  for await (const line of linesOf(input, mostBytes - NEWLINE.length)) {
    if (line === 'too_long') return refused(`A message has more than ${mostBytes} bytes.`)
    const parsed = parseStrictJson(line, { maxDepth, maxMembers, maxValues, refuses: NUL })
    const message = parsed.ok ? undefined : jsonIn(line)
    if (parsed.ok || message === undefined) yield Buffer.concat([line, NEWLINE])
    else await answer(errorTo(message, parsed.reason))
  }
}

const NEWLINE = Buffer.from('\n')

function jsonIn(line: Uint8Array): Json | undefined {
  try {
    return JSON.parse(Buffer.from(line).toString('utf8')) as Json
  } catch {
    return undefined
  }
}

function errorTo(message: Json, reason: string): string {
  const id = isRecord(message) ? message['id'] : null
  const known = typeof id === 'string' || typeof id === 'number' ? id : null
  const error = { code: CODES.parse, message: `The message is not acceptable JSON: ${reason}` }
  return `${JSON.stringify({ jsonrpc: '2.0', id: known, error })}\n`
}
