import { refuse } from '../errors/refusal.js'
import type { Endpoint } from '../endpoint/endpoint.js'

/** GET /.well-known/svc (section 4.1). */
export const discovery: Endpoint = async (service) => ({ document: service.documents.discovery(service.site.base) })

/** GET /.well-known/jwks.json (section 4.2). */
export const jwks: Endpoint = async (service) => ({ document: service.documents.jwks() })

/** GET /svc/manifest (section 4.3). */
export const manifestEndpoint: Endpoint = async (service) => ({ document: await service.documents.manifest() })

/** GET /tools.json: the capabilities as tools of a model (decisions, section 10). */
export const toolsEndpoint: Endpoint = async (service) => ({ document: service.documents.tools() })

/** GET /openapi.json: what the build wrote beside the server, where it is there. */
export const openapiEndpoint: Endpoint = async (service) => ({
  document:
    (await service.documents.openapi()) ??
    refuse('not_found', 'This service has no openapi.json beside its server; svc build writes one.'),
})
