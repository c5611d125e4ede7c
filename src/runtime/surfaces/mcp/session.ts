/**
 * Sessions over HTTP of clients before 2026-07-28. A session id is sealed and says what the client can do: each request
 * begins with the handshake that it stands for, so no process remembers a session.
 */
import {
  legacyStatelessFallback,
  type AuthInfo,
  type LoggingLevel,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server'
import { randomBytes, randomUUID } from 'node:crypto'
import { isRecord } from '../../../crypto/json/kinds.js'
import { sha256Hex } from '../../../crypto/json/digest.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import type { Token } from '../../auth/token.js'
import { takeStream } from '../../auth/held-places.js'
import type { Service } from '../../service.js'
import { clientQuestions, type ClientQuestions } from './client-questions.js'
import { sealedUnder } from './sealed.js'

/** A client that comes later begins a new session. */
const SESSION_SECONDS = 30 * 24 * 3600
const LONGEST_ID = 2_048
const MOST_LEVELS = 10_000

interface Session {
  readonly version: string
  readonly capabilities: JsonObject
  /** A digest of who calls: the session of another is none. */
  readonly by: string
  /** Random: two sessions that begin in one second differ. */
  readonly nonce: string
}

export interface McpSessions {
  /** The id of a session that a handshake begins; undefined for any other message. */
  idFor(message: Json | undefined, token: Token): Promise<string | undefined>
  /** Answers a message of a session, or the answer to a question; undefined for what belongs to none. */
  answer(request: Request, message: Json | undefined, auth: AuthInfo): Promise<Response | undefined>
}

export async function sessionsOf(
  service: Service,
  serverOf: (auth: AuthInfo, id: string) => Server,
): Promise<McpSessions> {
  const key = await service.storage.secret('mcp session', randomBytes(32).toString('base64'))
  const sealed = sealedUnder<Session>(Buffer.from(key, 'base64'), SESSION_SECONDS)
  const questions = clientQuestions()
  const levels = lastLevels()
  const sessionIn = async (id: string, token: Token): Promise<Session | undefined> => {
    const found = id.length > LONGEST_ID ? undefined : await sealed.verify(id, {} as never).catch(() => undefined)
    return found?.by === callerIn(token) ? found : undefined
  }
  return {
    idFor: async (message, token) => {
      if (!isRecord(message) || message['method'] !== 'initialize' || !isRecord(message['params'])) return undefined
      const { protocolVersion, capabilities } = message['params']
      const version = typeof protocolVersion === 'string' ? protocolVersion.slice(0, 32) : ''
      return sealed.mint({ version, capabilities: declaredIn(capabilities), by: callerIn(token), nonce: randomUUID() })
    },
    answer: async (request, message, auth) => {
      const id = request.headers.get('mcp-session-id')
      const token = auth.extra!['token'] as Token
      if (id === null || !isRecord(message)) return undefined
      const session = await sessionIn(id, token)
      if (session === undefined) return refused(404, 'There is no such session: begin a new one.')
      if (message['method'] === undefined)
        return questions.answer(message, session.by)
          ? new Response(null, { status: 202 })
          : refused(400, 'Nobody waits for this answer here.')
      if (message['method'] === 'logging/setLevel') levels.set(id, message['params'])
      const begin = { session, level: levels.get(id), questions, hold: () => takeStream(service, token) }
      const handle = legacyStatelessFallback(async () => inSession(serverOf(auth, id), begin) as object as Server)
      return handle(request, { authInfo: auth, parsedBody: message })
    },
  }
}

const callerIn = ({ claims }: Token): string => sha256Hex(`${claims.root_principal}\0${claims.sub}`)

/** The abilities that handlers can make use of; whatever else a client says takes no place in the id. */
function declaredIn(capabilities: Json | undefined): JsonObject {
  if (!isRecord(capabilities)) return {}
  const { elicitation, sampling, roots } = capabilities
  return {
    ...(isRecord(elicitation) && {
      elicitation: Object.fromEntries(['form', 'url'].filter((mode) => mode in elicitation).map((mode) => [mode, {}])),
    }),
    ...(isRecord(sampling) && { sampling: {} }),
    ...(isRecord(roots) && { roots: {} }),
  }
}

function refused(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_001, message } }, { status })
}

/** The levels that sessions asked for last: a preference, which a restart or another replica does not know. */
function lastLevels() {
  const levels = new Map<string, LoggingLevel>()
  return {
    get: (id: string) => levels.get(id),
    set: (id: string, params: Json | undefined) => {
      const level = isRecord(params) ? params['level'] : undefined
      if (typeof level !== 'string' || level.length > 16) return
      levels.delete(id)
      levels.set(id, level as LoggingLevel)
      if (levels.size > MOST_LEVELS) levels.delete(levels.keys().next().value!)
    },
  }
}

interface Beginning {
  readonly session: Session
  readonly level: LoggingLevel | undefined
  readonly questions: ClientQuestions
  /** Takes a place for the stream on which the client is asked, and gives the way to give it back. */
  readonly hold: () => () => void
}

/** Id of the replayed messages: a client that knew it would wait for an answer that goes nowhere. */
const REPLAYED = randomUUID()
const CLIENT = { name: 'session', version: '1' }

/** A server that hears the handshake of its session before the first message, as far as its transport goes. */
function inSession(server: Server, { session, level, questions, hold }: Beginning) {
  let close: (() => void) | undefined
  return {
    connect: async (inner: Transport) => {
      const asked = questions.exchange(session.by, hold, (message) => inner.onmessage?.(message))
      close = asked.end
      let replayed = (): void => undefined
      const outer: Transport = {
        start: () => inner.start(),
        close: () => inner.close(),
        send: async (message, options) => {
          if ('id' in message && message.id === REPLAYED && !('method' in message)) return replayed()
          return inner.send(asked.outgoing(message), options)
        },
      }
      await server.connect(outer)
      const onmessage: Transport['onmessage'] = (message, extra) => outer.onmessage?.(message, extra)
      Object.assign(inner, { onmessage, onclose: () => outer.onclose?.() })
      const replay = (method: string, params: object): Promise<void> => {
        const done = new Promise<void>((resolve) => (replayed = resolve))
        outer.onmessage?.({ jsonrpc: '2.0', id: REPLAYED, method, params } as never)
        return done
      }
      const { version: protocolVersion, capabilities } = session
      await replay('initialize', { protocolVersion, capabilities, clientInfo: CLIENT })
      if (level !== undefined) await replay('logging/setLevel', { level })
      replayed = () => undefined
    },
    close: async () => {
      close?.()
      await server.close()
    },
  }
}
