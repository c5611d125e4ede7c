import type { ServerContext } from '@modelcontextprotocol/server'
import type { McpConnection } from './connection.js'

/** Abilities that a client declares in this request; none is assumed (surfaces, fact 3). */
export interface Abilities {
  readonly url: boolean
  readonly form: boolean
}

/** Its type has no name for the member that every modern request has. */
type Envelope = { readonly [member: string]: unknown }

const NONE: Abilities = { url: false, form: false }

/**
 * In the modern era each request says it; over stdio of the legacy era the handshake did; over HTTP of the legacy era
 * nobody knows.
 */
export function abilitiesOf({ era, declaredAtFirst }: McpConnection, { mcpReq, http }: ServerContext): Abilities {
  const declared =
    era === 'modern'
      ? (mcpReq.envelope as Envelope | undefined)?.['io.modelcontextprotocol/clientCapabilities']
      : http === undefined
        ? declaredAtFirst()
        : undefined
  const elicitation = (declared as { readonly elicitation?: object } | undefined)?.elicitation
  if (elicitation === undefined) return NONE
  const isBare = Object.keys(elicitation).length === 0
  return { url: 'url' in elicitation, form: isBare || 'form' in elicitation }
}
