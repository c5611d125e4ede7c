import { stringText } from '../print/text.js'
import type { ImportedOperation } from './import-operations.js'
import { consentOf } from './consents.js'
import { snakeCase } from './operations.js'
import type { ApiConnection, ApiCredential, Security } from './security.js'
import type { ApiUpstream } from './upstream.js'

/** A credential that operations demand, and the variables of the environment that hold it. */
export interface UsedCredential {
  readonly scheme: string
  readonly sent: ApiCredential
  /** The value; where a token may be fetched, the id and the secret of the client, too. */
  readonly variables: readonly string[]
  /** Consent of each person, and the variables that hold the client there. */
  readonly connection?: UsedConnection
}

interface UsedConnection extends Omit<ApiConnection, 'isOpenId'> {
  readonly variables: readonly string[]
}

/** The variable of the environment that stands in for the address. */
export const urlVariable = (id: string): string => `${id.toUpperCase()}_URL`

/** The credentials that operations demand. The first has the name of the service behind alone. */
export function usedCredentials(
  upstream: ApiUpstream,
  operations: readonly Pick<ImportedOperation, 'name' | 'security' | 'scopes'>[],
): readonly UsedCredential[] {
  const { id, security } = upstream
  const consent = consentOf(upstream, operations)
  const place = `${id.toUpperCase()}_CONNECTION`
  const names = [...new Set([...security.usual, ...operations.flatMap((each) => each.security)].flat())]
  const used = names.filter((name) => operations.some((each) => each.security.flat().includes(name)))
  const taken = new Set(consent === undefined ? [] : [place])
  return used.map((scheme, index) => {
    const sent = security.schemes.get(scheme)!
    const own = `${id.toUpperCase()}_${snakeCase(scheme).toUpperCase()}`
    const prefix = index === 0 ? id.toUpperCase() : own.endsWith('_') || taken.has(own) ? `${own}_${index + 1}` : own
    taken.add(prefix)
    const client = sent.client === undefined ? [] : [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`]
    const variables = [`${prefix}_CREDENTIAL`, ...client]
    if (consent?.schemes.has(scheme) !== true) return { scheme, sent, variables }
    const clients = [`${place}_CLIENT_ID`, `${place}_CLIENT_SECRET`]
    return { scheme, sent, variables, connection: { ...consent.connection, variables: clients } }
  })
}

/** Returns the variables that hold what is sent with calls. */
export const valueVariables = (credentials: readonly UsedCredential[]): readonly string[] =>
  credentials.map(({ variables }) => variables[0]!)

/** Variables that hold a client of an authorization server, and the address that its secret goes to. */
export interface ClientPlace {
  readonly variables: readonly string[]
  readonly address: string
}

/** Returns where clients prove themselves: a description may name another host than that of its calls, or of consent. */
export function clientPlaces(credentials: readonly UsedCredential[]): readonly ClientPlace[] {
  const places = credentials.flatMap(({ sent: { client }, variables, connection }) => [
    ...(client === undefined ? [] : [placeOf(variables.slice(1), client.tokenUrl ?? client.discoveryUrl)]),
    ...(connection === undefined ? [] : [placeOf(connection.variables, connection.issuer ?? connection.tokenUrl)]),
  ])
  return [...new Map(places.map((place) => [place.variables.join(' '), place])).values()]
}

const placeOf = (variables: readonly string[], address = ''): ClientPlace => ({ variables, address })

/** Says where the secret of a client goes. */
export const clientSentence = ({ variables, address }: ClientPlace): string =>
  `${variables.join(' and ')} go to ${address}.`

export const isSame = (one: Security, other: Security): boolean => JSON.stringify(one) === JSON.stringify(other)

export const securityText = (security: Security): string =>
  `[${security.map((names) => `[${names.map(stringText).join(', ')}]`).join(', ')}]`
