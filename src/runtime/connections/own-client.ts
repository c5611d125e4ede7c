import { pathOf } from '../../protocol/endpoints.js'
import type { Service } from '../service.js'
import type { OwnClient } from './authorization-server.js'

/** Returns this service as a client; undefined where no console is served that people come back to. */
export function ownClient({ pages, site, id, manifest }: Service): OwnClient | undefined {
  const redirectUri = pages.connected?.()
  if (redirectUri === undefined) return undefined
  const origin = site.origin ?? new URL(redirectUri).origin
  return {
    documentUrl: origin + (site.base ?? '') + pathOf('client_metadata'),
    redirectUri,
    name: manifest.service_identity.name ?? id,
  }
}
