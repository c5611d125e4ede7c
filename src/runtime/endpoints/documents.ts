import type { Endpoint } from './endpoint.js'

/** GET /.well-known/svc (section 4.1). */
export const discovery: Endpoint = async (service) => ({ document: service.documents.discovery() })

/** GET /.well-known/jwks.json (section 4.2). */
export const jwks: Endpoint = async (service) => ({ document: service.documents.jwks() })

/** GET /svc/manifest (section 4.3). */
export const manifest: Endpoint = async (service) => ({ document: await service.documents.manifest() })
