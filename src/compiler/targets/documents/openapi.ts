import { operationsOf } from '../../../protocol/discovery.js'
import type { Operation } from '../../../protocol/endpoints.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import { schemasOf, type ValueSchemas } from '../../../protocol/value-schema.js'
import type { CapabilityPlan, Plan } from '../../plan/plan.js'
import type { Target } from '../target.js'
import { entry, objectText } from './json-text.js'
import { CALL_HEADERS } from './headers.js'
import { schemaEntries } from './json-schemas.js'
import { invokePath, refusalsOfCalls, type CallRefusals } from './invoke-paths.js'
import { PROTOCOL_SCHEMAS } from './protocol-schemas.js'
import { responseOf, type RefusedResponse } from './refused-responses.js'
import { refusalsOfOperation, servicePath } from './service-paths.js'

/** `dist/openapi.json`: the service as OpenAPI 3.1 describes it, for tools that speak no manifest. */
export const openapi: Target = (plan) => [
  { path: 'dist/openapi.json', ownership: 'generated', text: `${documentText(plan)}\n` },
]

type Described = Exclude<Operation, 'invoke'>
const isDescribed = (operation: Operation): operation is Described => operation !== 'invoke'

/** One part of the document, and the responses that it refers to. */
interface Part {
  readonly text: string
  readonly refused: readonly RefusedResponse[]
}

function documentText(plan: Plan): string {
  const refusalsOf = refusalsOfCalls()
  const schemas = schemasOf(plan.manifest)
  const shared = JSON.stringify(schemas)
  const calls = plan.capabilities.map((capability) =>
    plan.remember(`openapi ${capability.name}`, [capability, shared], () =>
      callPart(capability, refusalsOf(capability), schemas),
    ),
  )
  const operations = operationParts(plan, operationsOf(plan.manifest).filter(isDescribed))
  const parts = [...calls, ...operations]
  return objectText(0, [
    entry('openapi', '3.1.1'),
    entry('info', infoOf(plan)),
    entry('servers', [{ url: '.', description: 'Where this document is served.' }]),
    entry('tags', TAGS),
    `"paths": ${objectText(
      1,
      parts.map(({ text }) => text),
    )}`,
    `"components": ${componentsText(plan, calls, operations)}`,
  ])
}

const callPart = (capability: CapabilityPlan, { responses, references }: CallRefusals, shared: ValueSchemas): Part => ({
  text: invokePath(capability, references, shared),
  refused: responses,
})

/** A path may have several methods. */
function operationParts({ manifest }: Plan, operations: readonly Described[]): readonly Part[] {
  const paths = new Map<string, { readonly item: JsonObject; readonly refused: readonly RefusedResponse[] }>()
  for (const operation of operations) {
    const refused = refusalsOfOperation(manifest, operation)
    const [path, item] = servicePath(manifest, operation, refused)
    const known = paths.get(path)
    paths.set(path, { item: { ...known?.item, ...item }, refused: [...(known?.refused ?? []), ...refused] })
  }
  return [...paths].map(([path, { item, refused }]) => ({ text: entry(path, item), refused }))
}

function componentsText(plan: Plan, calls: readonly Part[], operations: readonly Part[]): string {
  // Most calls share the very same list.
  const lists = new Set([...calls, ...operations].map((part) => part.refused))
  const refused = [...lists].flat()
  const named = [...new Map(refused.map((response) => [response.name, response]))].sort(([a], [b]) => (a < b ? -1 : 1))
  const responses = named.map(([name, response]) => entry(name, responseOf(response)))
  const texts = [...textsOf(plan, calls), ...operations.map(({ text }) => text), ...responses]
  const schemas = [...protocolEntries(texts), ...schemaEntries(plan, '#/components/schemas')]
  return objectText(1, [
    entry('securitySchemes', SECURITY),
    entry('parameters', calls.length === 0 ? {} : PARAMETERS),
    entry('headers', calls.length === 0 ? {} : CALL_HEADERS),
    `"responses": ${objectText(2, responses)}`,
    `"schemas": ${objectText(2, schemas)}`,
  ])
}

/** All calls refer to the same schemas of the interface, but for money. */
const textsOf = ({ capabilities }: Plan, calls: readonly Part[]): readonly string[] =>
  [0, capabilities.findIndex(({ financial }) => financial)].flatMap((index) => calls[index]?.text ?? [])

/** The schemas of the interface that something refers to, directly or through another. */
function protocolEntries(texts: readonly string[]): readonly string[] {
  const reached = new Set<string>()
  const reach = (text: string): void => {
    for (const name of Object.keys(PROTOCOL_SCHEMAS)) {
      if (reached.has(name) || !text.includes(`"#/components/schemas/${name}"`)) continue
      reached.add(name)
      reach(JSON.stringify(PROTOCOL_SCHEMAS[name]))
    }
  }
  texts.forEach(reach)
  return Object.entries(PROTOCOL_SCHEMAS).flatMap(([name, schema]) => (reached.has(name) ? [entry(name, schema)] : []))
}

function infoOf({ manifest: { service_identity, manifest_metadata }, serviceId, version }: Plan): JsonObject {
  const { name, description } = service_identity
  return {
    title: name ?? serviceId,
    description: description ?? `The governed capabilities of ${serviceId}.`,
    version,
    'x-interface-version': manifest_metadata.version,
    license: { name: 'As the owner of the service says', identifier: 'LicenseRef-service' },
  }
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
