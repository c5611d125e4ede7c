/** The device authorization flow, for a machine without a browser (RFC 8628). */
import type { Configuration } from 'openid-client'
import { CliError } from '../shared/errors/cli-error.js'
import { askedScope, type Client, type ProviderTokens } from '../service/logins/provider.js'

export interface ShownCode {
  readonly address: string
  readonly code: string
}

/** Shows a code, and asks until the person has entered it somewhere else. */
export async function signInByDevice(
  configuration: Configuration,
  client: Client,
  show: (code: ShownCode) => void,
): Promise<ProviderTokens> {
  if (configuration.serverMetadata().device_authorization_endpoint === undefined)
    throw new CliError('The identity provider offers no device flow. Sign in without --device.')
  const openid = await import('openid-client')
  const resource = client.resource === undefined ? {} : { resource: client.resource }
  const scope = askedScope(configuration, client)
  const begun = await openid.initiateDeviceAuthorization(configuration, { scope, ...resource })
  show({ address: begun.verification_uri_complete ?? begun.verification_uri, code: begun.user_code })
  return openid.pollDeviceAuthorizationGrant(configuration, begun, resource)
}
