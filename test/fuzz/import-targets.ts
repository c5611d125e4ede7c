/** What is imported: descriptions of others, which nobody has checked (threats N20, N21). */
import { check } from '../../src/compiler/check.js'
import { toolFragment } from '../../src/compiler/mcp-tools/print-tools.js'
import { toolCapabilities } from '../../src/compiler/mcp-tools/tool-capability.js'
import { importOperations } from '../../src/compiler/openapi/import-operations.js'
import { readApiDocument, type ApiFinding } from '../../src/compiler/openapi/library.js'
import { apiOperationsOf, dialectOf } from '../../src/compiler/openapi/operations.js'
import { fragmentOf } from '../../src/compiler/openapi/print-fragment.js'
import { importedSourcesOf } from '../../src/compiler/openapi/print-handlers.js'
import type { Description } from '../../src/compiler/openapi/references.js'
import { fileTarget } from '../../src/compiler/openapi/targets.js'
import { upstreamOf } from '../../src/compiler/openapi/upstream.js'
import type { JsonObject } from '../../src/protocol/manifest.js'
import type { Target } from './fuzzing.js'

const HEAD = 'manifest_metadata: { version: "0.24.0" }\nservice_identity: { id: fuzzed }\ntrust: { level: signed }\n'
/** What a person still decides, and what only a name can be blamed for. */
const OPEN: ReadonlySet<string> = new Set(['SVC2013'])

/** A fragment is a manifest but for what a person decides: whatever it was made of. */
function refuseInvalid(fragment: string): void {
  const { diagnostics } = check([{ file: 'svc.yaml', text: HEAD + fragment }], { now: 0, preset: 'minimal' })
  const wrong = diagnostics.find(({ code, severity }) => severity === 'error' && !OPEN.has(code))
  if (wrong !== undefined) throw new Error(`${wrong.code} ${wrong.message} in:\n${fragment}`)
}

const withoutValues = (message: string): string => message.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/gu, '').slice(0, 60)

const YAML = `openapi: 3.0.3
info: { title: Shop }
servers: [{ url: https://shop.example }]
paths:
  /a/{id}:
    parameters: [{ name: id, in: path, schema: { type: string, minLength: 1 } }]
    post:
      operationId: make
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } }
      responses: { '200': { content: { application/json: { schema: { oneOf: [{ $ref: '#/components/schemas/A' }, { type: array, items: {} }] } } } } }
components:
  schemas:
    A: { allOf: [{ type: object, required: [a], properties: { a: { $ref: '#/components/schemas/A' }, b: { enum: [x, 1, null] } } }, { additionalProperties: false }] }
`
const SWAGGER = JSON.stringify({
  swagger: '2.0', host: 'shop.example',
  paths: { '/a': { get: { operationId: 'list', parameters: [{ name: 'q', in: 'query', type: 'array', items: { type: 'integer', maximum: 5 } }], responses: { 200: { schema: { $ref: '#/definitions/A' } } } } } },
  definitions: { A: { type: 'object', properties: { n: { type: 'number', minimum: 0, exclusiveMinimum: true, multipleOf: 2 }, p: { type: 'string', pattern: '^a+$', format: 'date' } } } },
}) // prettier-ignore
const WORDS = [
  '$ref', '#/components/schemas/A', 'allOf', 'anyOf', 'oneOf', 'nullable', 'properties', 'required', 'items', 'enum', 'const', 'pattern', 'minimum', 'additionalProperties',
  'discriminator', '"type": ["string", "null"]', '__proto__', '(a+)+', '- ', ': ', '{}', '[]', 'null', 'true', '1e400',
] // prettier-ignore

const openapi = (): Target => ({
  seeds: [YAML, SWAGGER],
  words: WORDS,
  parse: (input) => {
    const root = readApiDocument('api.yaml', input.toString())
    if ('line' in root) return withoutValues(root.message)
    const findings: ApiFinding[] = []
    const description: Description = { root, documents: new Map(), wanted: new Set(), target: fileTarget, findings }
    const dialect = dialectOf(description)
    const upstream = dialect === undefined ? undefined : upstreamOf(description, dialect, {})
    if (dialect === undefined || upstream === undefined) return withoutValues(findings[0]!.message)
    const imports = importOperations(description, dialect, upstream, apiOperationsOf(description))
    if (findings.length > 0) return withoutValues(findings[0]!.message)
    importedSourcesOf(upstream, imports.operations)
    if (imports.operations.length === 0) return 'nothing'
    refuseInvalid(fragmentOf(upstream.id, imports))
    return `${imports.operations.length} ${Object.keys(imports.schemas).length} ${imports.notes.length}`
  },
})

const tools = (): Target => ({
  seeds: [
    '{"name":"read","title":"Read","description":"Reads a note by its name.","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"object","properties":{"b":{"type":["string","null"]}}}}},"outputSchema":{"type":"object","properties":{"c":{"oneOf":[{"const":1},{"type":"array"}]}}}}',
  ],
  words: WORDS,
  parse: (input) => {
    let tool: { name?: unknown; title?: unknown; description?: unknown; inputSchema?: unknown; outputSchema?: unknown }
    try {
      tool = Object(JSON.parse(input.toString())) as typeof tool
    } catch {
      return 'no JSON'
    }
    const textOf = (value: unknown, otherwise: string): string => (typeof value === 'string' && value !== '' ? value : otherwise)
    const objectOf = (value: unknown): JsonObject => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {})
    const facts = {
      name: textOf(tool.name, 'a').slice(0, 128), title: textOf(tool.title, ''), description: textOf(tool.description, ''),
      inputSchema: objectOf(tool.inputSchema), ...(tool.outputSchema === undefined ? {} : { outputSchema: objectOf(tool.outputSchema) }),
    }
    const made = toolCapabilities('notes', [{ tool: facts, effect: 'read' }])
    refuseInvalid(toolFragment('notes', made, undefined))
    return `${Object.keys(made.schemas).length} ${made.notes.length} ${made.tools[0]!.notes.map(withoutValues).join().slice(0, 80)}`
  },
}) // prettier-ignore

/** By parser. */
export const importTargets = { openapi, tools } as const
