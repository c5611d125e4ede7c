import { ENDPOINTS, type Operation } from '../../../protocol/endpoints.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import { OPERATION_TEXTS, type OperationText } from './operations.js'

type Described = Exclude<Operation, 'invoke'>

/** The path of an operation that is not an invocation. */
export function servicePath(
  operation: Described,
  responsesFor: (types: readonly string[]) => JsonObject,
): readonly [string, JsonObject] {
  const { method, path } = ENDPOINTS[operation]
  const words = OPERATION_TEXTS[operation]
  const parameters = [...pathParameters(path), ...queryParameters(words)]
  return [
    path,
    {
      [method.toLowerCase()]: {
        operationId: `svc_${operation}`,
        tags: [words.tag],
        summary: words.summary,
        security: securityOf(operation),
        ...(parameters.length === 0 ? {} : { parameters }),
        ...(words.request === undefined ? {} : { requestBody: { required: true, content: jsonOf(words.request) } }),
        responses: {
          '200': { description: 'The answer.', content: jsonOf(words.response) },
          ...responsesFor(words.refusals),
        },
      },
    },
  ]
}

const jsonOf = (schema: string): JsonObject => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
})

const SECURITY: { readonly [credential in (typeof ENDPOINTS)[Operation]['credential']]: readonly JsonObject[] } = {
  none: [],
  delegation: [{ delegation: [] }],
  bootstrap_or_delegation: [{ bootstrap: [] }, { delegation: [] }],
}

const securityOf = (operation: Described): readonly JsonObject[] => SECURITY[ENDPOINTS[operation].credential]

const pathParameters = (path: string): readonly JsonObject[] =>
  [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

const queryParameters = ({ query = {} }: OperationText): readonly JsonObject[] =>
  Object.entries(query).map(([name, [type, description]]) => ({ name, in: 'query', description, schema: { type } }))
