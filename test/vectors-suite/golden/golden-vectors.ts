import type { GoldenCase } from './golden-case.js'
import { grantCases, tokenCases } from './grant-cases.js'
import { manifestCases } from './manifest-cases.js'
import { AUDIT_KEY, FOREIGN_KEY, MANIFEST_KEY, NOW, TOKENS_KEY } from './material.js'
import { checkpointCases, entryCases, exportCases } from './trail-cases.js'

const jwks = (...keys: readonly { readonly publicJwk: object }[]) => ({ keys: keys.map(({ publicJwk }) => publicJwk) })

export interface GoldenVectors {
  readonly note: string
  readonly now: string
  readonly service_id: string
  /** Kind -> the keys that the verifier trusts for it. */
  readonly jwks: { readonly [kind: string]: object }
  readonly private_keys: { readonly [name: string]: object }
  readonly cases: readonly GoldenCase[]
}

/** All golden vectors, the same bytes each time. */
export async function goldenVectors(): Promise<GoldenVectors> {
  return {
    note: 'Golden vectors of svc-kit for everything that is signed. The keys are public: trust them for nothing else.',
    now: new Date(NOW).toISOString(),
    service_id: 'flights',
    jwks: {
      manifest: jwks(MANIFEST_KEY),
      grant: jwks(TOKENS_KEY),
      token: jwks(TOKENS_KEY),
      checkpoint: jwks(AUDIT_KEY),
      entry: jwks(AUDIT_KEY),
      export: jwks(AUDIT_KEY),
    },
    private_keys: {
      manifest: MANIFEST_KEY.privateJwk,
      tokens: TOKENS_KEY.privateJwk,
      audit: AUDIT_KEY.privateJwk,
      foreign: FOREIGN_KEY.privateJwk,
    },
    cases: [
      ...(await manifestCases()),
      ...(await grantCases()),
      ...(await checkpointCases()),
      ...(await entryCases()),
      ...(await exportCases()),
      ...(await tokenCases()),
    ],
  }
}
