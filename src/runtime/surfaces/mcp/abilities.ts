import type { ServerContext } from '@modelcontextprotocol/server'
import type { CallerAbilities } from '../../../protocol/questions.js'
import type { McpConnection } from './connection.js'

/** Abilities that a client declares in this request; none is assumed (surfaces, fact 3). */
export interface Abilities extends CallerAbilities {
  /** A page that the person in front of the client is asked to open. */
  readonly url: boolean
}

/** Its type has no name for the member that every modern request has. */
type Envelope = { readonly [member: string]: unknown }

interface Declared {
  readonly elicitation?: object
  readonly sampling?: object
  readonly roots?: object
}

/**
 * In the modern era each request says it; in the legacy era the handshake did, over stdio. Over HTTP of the legacy era
 * nobody knows, unless the session says it.
 */
export function abilitiesOf({ era, declaredAtFirst }: McpConnection, { mcpReq }: ServerContext): Abilities {
  const declared =
    era === 'modern'
      ? (mcpReq.envelope as Envelope | undefined)?.['io.modelcontextprotocol/clientCapabilities']
      : declaredAtFirst()
  return abilitiesIn((declared ?? {}) as Declared)
}

function abilitiesIn({ elicitation, sampling, roots }: Declared): Abilities {
  const isBare = elicitation !== undefined && Object.keys(elicitation).length === 0
  return {
    url: elicitation !== undefined && 'url' in elicitation,
    form: elicitation !== undefined && (isBare || 'form' in elicitation),
    model: sampling !== undefined,
    roots: roots !== undefined,
  }
}
