import { operationsOf } from '../../../protocol/discovery.js'
import type { Operation } from '../../../protocol/endpoints.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import type { Plan } from '../../plan/plan.js'
import type { Target } from '../target.js'
import { capabilitySchemas } from './json-schemas.js'
import { invokePath } from './invoke-paths.js'
import { PROTOCOL_SCHEMAS } from './protocol-schemas.js'
import { refusedResponses } from './refused-responses.js'
import { servicePath } from './service-paths.js'

/** `dist/openapi.json`: the service as OpenAPI 3.1 describes it, for tools that speak no manifest. */
export const openapi: Target = (plan) => [
  { path: 'dist/openapi.json', ownership: 'generated', text: `${JSON.stringify(documentOf(plan), undefined, 1)}\n` },
]

const isDescribed = (operation: Operation): operation is Exclude<Operation, 'invoke'> => operation !== 'invoke'

function documentOf({ manifest, capabilities, serviceId }: Plan): object {
  const { responsesFor, components: responses } = refusedResponses()
  const operations = operationsOf(manifest).filter(isDescribed)
  const paths = mergedPaths([
    ...capabilities.map((capability) => invokePath(capability, responsesFor)),
    ...operations.map((operation) => servicePath(operation, responsesFor)),
  ])
  const schemas = { ...PROTOCOL_SCHEMAS, ...capabilitySchemas(capabilities) }
  return {
    openapi: '3.1.1',
    info: infoOf(manifest.service_identity, serviceId, manifest.manifest_metadata.version),
    servers: [{ url: '/', description: 'Where this document is served.' }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: SECURITY,
      parameters: PARAMETERS,
      responses,
      schemas: used(schemas, { paths, responses }),
    },
  }
}

const infoOf = (
  { name, description }: Plan['manifest']['service_identity'],
  serviceId: string,
  version: string,
): JsonObject => ({
  title: name ?? serviceId,
  description: description ?? `The governed capabilities of ${serviceId}.`,
  version,
  license: { name: 'As the owner of the service says', identifier: 'LicenseRef-service' },
})

/** A path may have several methods. */
function mergedPaths(entries: readonly (readonly [string, JsonObject])[]): JsonObject {
  const paths = new Map<string, JsonObject>()
  for (const [path, item] of entries) paths.set(path, { ...paths.get(path), ...item })
  return Object.fromEntries(paths)
}

/** The schemas that something refers to, directly or through another. */
function used(schemas: { readonly [name: string]: JsonObject }, document: JsonObject): JsonObject {
  const reached = new Set<string>()
  const reach = (text: string): void => {
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/gu)) {
      if (name === undefined || reached.has(name)) continue
      reached.add(name)
      reach(JSON.stringify(schemas[name]))
    }
  }
  reach(JSON.stringify(document))
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => reached.has(name)))
}

const TAGS = [
  { name: 'Capabilities', description: 'What agents may call.' },
  { name: 'Discovery', description: 'Find the service and its contract.' },
  { name: 'Authority', description: 'Tokens, and what they allow.' },
  { name: 'Approvals', description: 'What waits for a person.' },
  { name: 'Trail', description: 'What happened, and its proof.' },
  { name: 'Health', description: 'Is it well?' },
]

const SECURITY = {
  bootstrap: { type: 'http', scheme: 'bearer', description: 'An API key, or a token of the identity provider.' },
  delegation: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A delegation token from /svc/tokens.',
  },
}

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Remembered for 24 h: the same key and parameters give the same answer, and no second effect.',
    schema: { type: 'string', maxLength: 255 },
  },
}
