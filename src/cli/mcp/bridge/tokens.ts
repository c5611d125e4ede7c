/** The delegation token that the bridge calls with: narrow, short, renewed in time, kept in memory alone. */
import { connect } from '../../../client/index.js'
import { statusOf, type Failure } from '../../../protocol/failures.js'
import type { TokenRequest, TokenResponse } from '../../../protocol/token.js'
import { claimsToBeDelegation } from '../../../runtime/credentials/bearer.js'
import type { AnyService } from '../../service/connection.js'
import { credentialFor } from '../../service/credential.js'

export interface Tokens {
  /** The token for the next request. Rejects with `TokenRefused` where there is none. */
  bearer(): Promise<string>
  /** The service did not take this one: the next is drawn anew. */
  refused(bearer: string): void
}

/** Refusal by the service to issue a token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly failure: { readonly type: string; readonly detail: string }

  constructor(failure: TokenRefused['failure'], next = '') {
    super(`${failure.detail}${next}`)
    this.failure = failure
  }
}

/** Returns how the client's owner can renew a refused credential. */
export function howToRenew(): string {
  const { SVC_TOKEN_FILE: file } = process.env
  return file === undefined || file === ''
    ? 'Set SVC_TOKEN to another one, and start the client again.'
    : `Put another one into ${file} (SVC_TOKEN_FILE); it is read again at the next call.`
}

/** Renewed when a tenth of its life is left, or a minute. */
const LEFT = 0.1
const LEAST_MS = 60_000

interface Drawn {
  readonly token: string
  readonly renewAt: number
}

/** The credential is read again for each token, so that it may be renewed in place. */
export function tokensFor(baseUrl: string, request: TokenRequest | undefined): Tokens {
  let held: Drawn | undefined
  let drawing: Promise<Drawn> | undefined
  const draw = async (asked: TokenRequest): Promise<Drawn> => {
    const service = connect<AnyService>({ baseUrl, credential: await credentialFor(baseUrl) }, {})
    const answer = await service.delegate(asked)
    if (!answer.success) throw refusedBy(answer.failure)
    return drawnOf(answer.token)
  }
  return {
    async bearer() {
      if (request === undefined) return ownToken(baseUrl)
      if (held !== undefined && Date.now() < held.renewAt) return held.token
      drawing ??= draw(request).finally(() => (drawing = undefined))
      held = await drawing
      return held.token
    },
    refused(bearer) {
      if (held?.token === bearer) held = undefined
    },
  }
}

const refusedBy = (failure: Failure): TokenRefused =>
  new TokenRefused(failure, statusOf(failure.type) === 401 ? ` ${howToRenew()}` : '')

function drawnOf({ token, expires_at }: TokenResponse): Drawn {
  const life = Date.parse(expires_at) - Date.now()
  return { token, renewAt: Date.now() + life - Math.max(life * LEFT, Math.min(LEAST_MS, life / 2)) }
}

/** A delegation token that is used as it is. Anything else could do more than an agent should. */
async function ownToken(baseUrl: string): Promise<string> {
  const own = await credentialFor(baseUrl)
  if (claimsToBeDelegation(own)) return own
  throw new TokenRefused({
    type: 'invalid_token',
    detail: 'The credential is no delegation token. Name what the agent may do: --scope.',
  })
}
