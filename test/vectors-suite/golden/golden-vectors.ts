import type { GoldenCase } from './golden-case.js'
import { grantCases, tokenCases } from './grant-cases.js'
import { goldenOrigin, manifestCases } from './manifest-cases.js'
import { AUDIT_KEY, FOREIGN_KEY, MANIFEST_KEY, NOW, RETIRED_KEY, RETIRED_TOKENS_KEY, TOKENS_KEY } from './material.js'
import { checkpointCases, entryCases, exportCases } from './trail-cases.js'

const jwks = (...keys: readonly { readonly publicJwk: object }[]) => ({ keys: keys.map(({ publicJwk }) => publicJwk) })

export interface GoldenVectors {
  readonly note: string
  readonly now: string
  readonly service_id: string
  /** What the service publishes. */
  readonly jwks: { readonly keys: readonly object[] }
  /** The signed manifest that says what each is for, and the ids of the keys that may sign it, which the verifier has from elsewhere. */
  readonly origin: { readonly manifest: string; readonly signature: string; readonly kids: readonly string[] }
  readonly private_keys: { readonly [name: string]: object }
  readonly cases: readonly GoldenCase[]
}

/** All golden vectors, the same bytes each time. */
export async function goldenVectors(): Promise<GoldenVectors> {
  return {
    note: 'Golden vectors of svc-kit for everything that is signed. The keys are public: trust them for nothing else.',
    now: new Date(NOW).toISOString(),
    service_id: 'flights',
    jwks: jwks(MANIFEST_KEY, TOKENS_KEY, AUDIT_KEY, RETIRED_KEY, RETIRED_TOKENS_KEY),
    origin: await goldenOrigin(),
    private_keys: {
      manifest: MANIFEST_KEY.privateJwk,
      tokens: TOKENS_KEY.privateJwk,
      audit: AUDIT_KEY.privateJwk,
      foreign: FOREIGN_KEY.privateJwk,
      retired: RETIRED_KEY.privateJwk,
      retired_tokens: RETIRED_TOKENS_KEY.privateJwk,
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
