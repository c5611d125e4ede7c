/** Operations that act in the account of each person, because nothing else is sent (decisions, section 19). */
import type { ImportedOperation } from './import-operations.js'
import type { ApiConnection } from './security.js'
import type { ApiUpstream } from './upstream.js'

/** Consent that an imported service asks each person for: one for the service behind. */
export interface ImportedConsent {
  /** Schemes whose tokens it gives. */
  readonly schemes: ReadonlySet<string>
  readonly connection: Omit<ApiConnection, 'isOpenId'>
  /** Names of the capabilities that need it. */
  readonly capabilities: readonly string[]
}

type Demanding = Pick<ImportedOperation, 'name' | 'security' | 'scopes'>

/** Scopes of a scheme that are asked for where no operation names any. */
const MOST_SCOPES = 5

/** Returns the consent; undefined if each operation can be called without one. */
export function consentOf(
  { security: { schemes } }: ApiUpstream,
  operations: readonly Demanding[],
): ImportedConsent | undefined {
  const needs = ({ security }: Demanding, asks: (scheme: string) => boolean): boolean =>
    security.length > 0 && security.every((names) => names.some(asks))
  const first = operations.find((each) => needs(each, (name) => schemes.get(name)?.connection !== undefined))
  const found = first?.security[0]!.map((name) => schemes.get(name)?.connection).find((each) => each !== undefined)
  if (found === undefined) return undefined
  const own = new Map([...schemes].filter(([, { connection }]) => connection && placeOf(connection) === placeOf(found)))
  const used = operations.filter((each) => needs(each, (name) => own.has(name)))
  const demanded = used.flatMap(({ scopes }) => [...own.keys()].flatMap((name) => scopes.get(name) ?? []))
  const known = [...own.values()].flatMap(({ connection }) => connection!.scopes)
  const asked = demanded.length > 0 ? demanded : known.length <= MOST_SCOPES ? known : []
  const { isOpenId, ...places } = found
  const openid = isOpenId === true ? ['openid'] : []
  return {
    schemes: new Set(own.keys()),
    connection: { ...places, scopes: [...new Set([...openid, ...asked])] },
    capabilities: used.map(({ name }) => name),
  }
}

const placeOf = ({ issuer, authorizationUrl, tokenUrl }: ApiConnection): string =>
  JSON.stringify([issuer, authorizationUrl, tokenUrl])
