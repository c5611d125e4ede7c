import { ENDPOINTS, type Operation } from '../../../protocol/endpoints.js'
import { credentialKindOf } from '../../../protocol/discovery.js'
import type { JsonObject, Manifest } from '../../../protocol/manifest.js'
import { DOCUMENT_HEADERS, IF_NONE_MATCH } from './headers.js'
import { referencesTo, refusedResponses, type RefusedResponse } from './refused-responses.js'
import { ANY_REQUEST, CREDENTIAL, OPERATION_TEXTS, type OperationText } from './operations.js'

type Described = Exclude<Operation, 'invoke'>

/** Everything that an operation may be refused with. */
export function refusalsOfOperation(manifest: Manifest, operation: Described): readonly RefusedResponse[] {
  const isGated = credentialKindOf(manifest, operation) !== ENDPOINTS[operation].credential
  return refusedResponses([
    ...ANY_REQUEST,
    ...OPERATION_TEXTS[operation].refusals,
    ...(isGated ? [...CREDENTIAL, 'invalid_parameters' as const] : []),
  ])
}

/** The path of an operation that is not an invocation. */
export function servicePath(
  manifest: Manifest,
  operation: Described,
  refused: readonly RefusedResponse[],
): readonly [string, JsonObject] {
  const { method, path } = ENDPOINTS[operation]
  const words = OPERATION_TEXTS[operation]
  const headers = DOCUMENT_HEADERS[operation]
  const parameters = [...pathParameters(path), ...queryParameters(words), ...(headers ? [IF_NONE_MATCH] : [])]
  return [
    path,
    {
      [method.toLowerCase()]: {
        operationId: `svc_${operation}`,
        tags: [words.tag],
        summary: words.summary,
        security: securityOf(manifest, operation),
        ...(parameters.length === 0 ? {} : { parameters }),
        ...(words.request === undefined ? {} : { requestBody: { required: true, content: jsonOf(words.request) } }),
        responses: {
          '200': { description: 'The answer.', ...(headers && { headers }), content: contentOf(words) },
          ...(headers && { '304': { description: 'The copy at hand is current.', headers } }),
          ...othersOf(words),
          ...referencesTo(refused),
        },
      },
    },
  ]
}

const othersOf = ({ others = {} }: OperationText): JsonObject =>
  Object.fromEntries(
    Object.entries(others).map(([status, { about, response }]) => [
      status,
      { description: about, content: jsonOf(response) },
    ]),
  )

const contentOf = ({ response, text, events }: OperationText): JsonObject => ({
  ...(events === undefined
    ? jsonOf(response)
    : { 'text/event-stream': { schema: { type: 'string', description: events } } }),
  ...(text !== undefined && { 'text/plain': { schema: { type: 'string', description: text } } }),
})

const jsonOf = (schema: string): JsonObject => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
})

const SECURITY: { readonly [credential in (typeof ENDPOINTS)[Operation]['credential']]: readonly JsonObject[] } = {
  none: [],
  bootstrap: [{ bootstrap: [] }],
  delegation: [{ delegation: [] }],
  bootstrap_or_delegation: [{ bootstrap: [] }, { delegation: [] }],
}

const securityOf = (manifest: Manifest, operation: Described): readonly JsonObject[] =>
  SECURITY[credentialKindOf(manifest, operation)]

const pathParameters = (path: string): readonly JsonObject[] =>
  [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

const queryParameters = ({ query = {} }: OperationText): readonly JsonObject[] =>
  Object.entries(query).map(([name, [type, description]]) => ({ name, in: 'query', description, schema: { type } }))
