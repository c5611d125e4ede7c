/** Beginning of a session, in every revision of the protocol up to 2026-07-28. */
import type { JsonObject } from '../../../protocol/manifest.js'
import { RpcError } from './channel.js'

export const CLIENT_INFO = { name: 'svc-kit', version: '1' } as const

/** Revisions whose sessions begin with `initialize`, the newest first. */
const WITH_SESSION = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
/** The revision without sessions: each request names it. */
export const WITHOUT_SESSION = '2026-07-28'

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': WITHOUT_SESSION,
  'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
  'io.modelcontextprotocol/clientCapabilities': {},
} as const

export interface Begun {
  /** Members of the `_meta` of each later request. */
  readonly envelope: JsonObject
  /** Says that the server tells of changed tools whoever asks for that. */
  readonly tellsIfAsked: boolean
}

/** Begins a session over lines. */
export async function handshake(
  ask: (method: string, params: JsonObject) => Promise<JsonObject>,
  tell: (method: string) => void,
): Promise<Begun> {
  try {
    const { protocolVersion } = await ask('initialize', {
      protocolVersion: WITH_SESSION[0]!,
      capabilities: {},
      clientInfo: CLIENT_INFO,
    })
    if (!WITH_SESSION.includes(String(protocolVersion)))
      throw new Error(`The server speaks MCP ${JSON.stringify(protocolVersion)}, which this service does not.`)
    tell('notifications/initialized')
    return { envelope: {}, tellsIfAsked: false }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    // A server of the revision without sessions refuses the method.
    const { capabilities } = await ask('server/discover', { _meta: ENVELOPE })
    return { envelope: ENVELOPE, tellsIfAsked: tellsOfTools(capabilities) }
  }
}

interface Abilities {
  readonly tools?: { readonly listChanged?: unknown }
}

const tellsOfTools = (capabilities: unknown): boolean => (Object(capabilities) as Abilities).tools?.listChanged === true
