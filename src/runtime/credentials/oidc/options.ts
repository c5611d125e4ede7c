import { parsedAddress } from '../../../protocol/address.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import type { Role } from '../../../protocol/roles.js'
import type { Principal } from '../../../protocol/principals.js'
import { StartUpError } from '../../errors/start-up-error.js'

/** An identity provider that is trusted to say who calls (section 5.6). */
export interface OidcOptions {
  /** The issuer URL, exactly as the provider writes it: https, or http on a loopback address for development. */
  readonly issuer: string
  /** Required `aud`: this service, as the provider knows it. */
  readonly audience: string
  /**
   * The claim that must be the audience: `aud` unless given. `client_id` for access tokens of Cognito, which name no
   * audience; a token that names one is then refused.
   */
  readonly audienceClaim?: 'aud' | 'client_id'
  /**
   * Clients whose tokens count, by `azp`, `client_id`, `cid` and `appid`; the audience itself always does. Where none
   * are listed, `azp` must be the audience, and the others do not bound.
   */
  readonly clients?: readonly string[]
  /** Accepted tokens: access tokens (the default), or ID tokens made for this service as a client. */
  readonly tokens?: 'access' | 'id'
  /** Origins that keys may be read from, beside the issuer's own. */
  readonly jwksOrigins?: readonly string[]
  /**
   * Names of people: `human:<e-mail>` or `oidc:<sub>`; a token without the claim is refused. If absent, a verified
   * e-mail if there is one, or else the subject.
   */
  readonly principal?: 'email' | 'sub'
  /**
   * The claim by which an account is the same one for all clients: `sub` unless given. Needed where the provider's
   * subjects are pairwise only, as `oid` of Entra ID; access tokens and the console's ID tokens must both carry it.
   */
  readonly subjectClaim?: string
  /** Names the provider in principals, `oidc:<alias>/<sub>`; needed where there are several. */
  readonly alias?: string
  /**
   * Domains whose addresses the provider vouches for, in lower case; any unless given. Needed where there are several.
   * Compared as ASCII: `münchen.example` is `xn--mnchen-3ya.example`.
   */
  readonly emailDomains?: readonly string[]
  /** Subject of a service account -> its principal. */
  readonly serviceAccounts?: { readonly [subject: string]: Principal }
  /**
   * Returns the entitlements from verified claims; without this hook, every `minimum_scope` and no caller class. It
   * may be asynchronous. If it gives no list of scopes, fails or takes longer than `authenticateTimeoutMs`, the
   * credential is unknown.
   */
  readonly entitlements?: (claims: JsonObject) => Entitlements | Promise<Entitlements>
}

/** Entitlements of an identity provider's person: never more than is listed. */
export interface Entitlements {
  readonly scopes: readonly string[]
  readonly caller_classes?: readonly string[]
  readonly roles?: readonly Role[]
}

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/u

/** The issuer as a URL; throws `StartUpError` for one that cannot be trusted. */
export function issuerUrl({ issuer }: OidcOptions): URL {
  const url = safeUrl(issuer)
  if (url !== undefined && url.username === '' && url.search === '' && url.hash === '') return url
  throw new StartUpError(
    `The OIDC issuer ${JSON.stringify(issuer)} must be an https address without query or fragment.`,
  )
}

/** Throws `StartUpError` for a provider that is not trusted where it says that it is, or its keys are. */
export function assertSafe(options: OidcOptions): void {
  issuerUrl(options)
  const unsafe = (options.jwksOrigins ?? []).find((origin) => safeUrl(origin) === undefined)
  if (unsafe !== undefined)
    throw new StartUpError(
      `The OIDC provider ${options.issuer}: jwksOrigins holds ${JSON.stringify(unsafe)}, which must be an https ` +
        'origin, as https://keys.example.',
    )
}

/** A URL that nobody on the way can answer for. */
function safeUrl(text: string): URL | undefined {
  const url = parsedAddress(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname))
  return isSafe ? url : undefined
}
