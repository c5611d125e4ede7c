/** Shapes of real documents, by their names, and the operations that are read from them (decisions, section 19). */
import { expect, it } from 'vitest'
import { importOperations } from '../../../src/compiler/openapi/import-operations.js'
import { readApiDocument, type ApiDocument, type ApiFinding } from '../../../src/compiler/openapi/library.js'
import { apiOperationsOf, dialectOf, pathSent, querySent } from '../../../src/compiler/openapi/operations.js'
import { fileTarget } from '../../../src/compiler/openapi/targets.js'
import { upstreamOf } from '../../../src/compiler/openapi/upstream.js'

type Read = ApiDocument | ApiFinding
const isRead = (document: Read): document is ApiDocument => 'value' in document

/** `POST /a?x=1 id:path name:body -> ok`: what is sent, and the fields of the answer; or the findings. */
function linesOf(text: string, beside: { readonly [file: string]: string } = {}): readonly string[] {
  const documents = Object.entries({ ...beside, 'api.yaml': text }).map(([file, each]) => readApiDocument(file, each))
  const broken = documents.flatMap((each) => (isRead(each) ? [] : [`${each.line}:${each.column} ${each.message}`]))
  if (broken.length > 0) return broken
  const known = new Map(documents.filter(isRead).map((each) => [each.file, each]))
  const description = { root: known.get('api.yaml')!, documents: known, wanted: new Set<string>(), target: fileTarget, findings: [] as ApiFinding[] }
  const dialect = dialectOf(description)!
  const all = apiOperationsOf(description)
  const upstream = upstreamOf(description, dialect, { server: 'https://shop.example' })!
  const { operations, refused } = importOperations(description, dialect, upstream, all)
  return [
    ...description.findings.map(({ message }) => message),
    ...refused.flatMap(({ findings }) => findings.map(({ message }) => message)),
    ...operations.map(({ operation, inputs, output, body, notes }) => {
      const query = querySent(operation)
      const sent = `${operation.method.toUpperCase()} ${pathSent(operation)}${query && `?${query}`}`
      const given = inputs.map(({ wire, in: place }) => ` ${wire}:${place}`).join('')
      const fields = output.kind === 'members' ? output.fields.map(({ wire, mayBeNull }) => `${wire}${mayBeNull ? '?' : ''}`).join() : output.kind
      return `${sent}${given}${body === undefined ? '' : ` as ${body.type}`} -> ${fields}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`
    }),
  ]
} // prettier-ignore

const DONE = "responses: { '204': { description: done } }"
const head = (paths: string, more = ''): string => `openapi: 3.1.0\npaths:\n${paths}\n${more}\n`
const get = (rest = ''): string => `get: { operationId: a, ${rest === '' ? '' : `${rest}, `}${DONE} }`
const header = (name: string): string => head(`  /a: { ${get(`parameters: [{ name: ${name}, in: header, required: true, schema: { type: string } }]`)} }`) // prettier-ignore
const body = (schema: string, type = 'application/json'): string => head(`  /a: { post: { operationId: a, requestBody: { required: true, content: { ${type}: { schema: ${schema} } } }, ${DONE} } }`) // prettier-ignore
const SHAPE = '{ type: object, required: [n], properties: { n: { type: string }, m: {} } }'
const answer = (schema: string): string => `{ description: ok, content: { application/json: { schema: ${schema} } } }`
const PART = `{ operationId: a, parameters: [{ $ref: '#/p' }], responses: { '200': { $ref: '#/r' } } }\n`

it.each<[string, string, readonly string[], { readonly [file: string]: string }?]>([
  ['a path item that is a reference', head(`  /a: { $ref: '#/x-paths/a' }`, `x-paths: { a: { ${get()} } }`), ['GET /a -> status']],
  ['an operation that is a reference', head(`  /a: { get: { $ref: '#/x-one' } }`, `x-one: { operationId: a, ${DONE} }`), ['GET /a -> status']],
  ['a parameter that is a reference', head(`  /a: { ${get(`parameters: [{ $ref: '#/components/parameters/P' }]`)} }`, 'components: { parameters: { P: { name: p, in: query, schema: { type: string } } } }'), ['GET /a p:query -> status']],
  ['parameters of the path item, one replaced', head(`  /a:\n    parameters: [{ name: p, in: query, schema: { type: string } }, { name: q, in: query, schema: { type: string } }]\n    ${get('parameters: [{ name: q, in: query, schema: { type: integer } }]')}`), ['GET /a p:query q:query -> status']],
  ['a body that is a reference', head(`  /a: { post: { operationId: a, requestBody: { $ref: '#/components/requestBodies/B' }, ${DONE} } }`, 'components: { requestBodies: { B: { content: { application/json: { schema: { type: object, properties: { n: { type: string } } } } } } } }'), ['POST /a n:body as application/json -> status']],
  ['a response that is a reference', head(`  /a: { get: { operationId: a, responses: { '200': { $ref: '#/components/responses/R' } } } }`, 'components: { responses: { R: { content: { application/json: { schema: { type: object, properties: { n: { type: string } } } } } } } }'), ['GET /a -> n?']],
  ['files beside, which refer to themselves', head('  /a: { get: { $ref: parts/a.yaml#/a } }'), ['GET /a q:query -> n?'], { 'parts/a.yaml': `a: ${PART}p: { name: q, in: query, schema: { type: string } }\nr: { content: { application/json: { schema: { type: object, properties: { n: { type: string } } } } } }\n` }],
  ['a path item in a file beside', head('  /a: { $ref: a.yaml }'), ['GET /a -> status'], { 'a.yaml': `${get()}\n` }],
  ['merge keys', `x: &x { summary: S, ${DONE} }\n${head('  /a: { get: { <<: *x, operationId: a } }')}`, ['GET /a -> status']],
  ['a key that is there twice', head(`  /a: { ${get()} }\n  /a: { ${get()} }`), ['4:3 The key "/a" is there twice. Keep one of them.']],
  ['the required header Accept', header('Accept'), ['GET /a -> status']],
  ['the required header Content-Type', header('Content-Type'), ['GET /a -> status']],
  ['the required header Authorization', header('Authorization'), ['GET /a -> status']],
  ['the required header Idempotency-Key', header('Idempotency-Key'), ['GET /a -> status']],
  ['`#` in a path', head(`  '/a/{id}#content': { get: { operationId: a, parameters: [{ name: id, in: path, required: true, schema: { type: string } }], ${DONE} } }`), ['GET /a/{id} id:path -> status']],
  ['a query in a path', head(`  '/a?beta=true': { ${get()} }`), ['GET /a?beta=true -> status']],
  ['a parameter in the query of a path', head(`  '/a?b={b}': { ${get()} }`), ['The path "/a?b={b}" is no path below an address.']],
  ['a bound beyond 2^53', head(`  /a: { ${get('parameters: [{ name: p, in: query, schema: { type: integer, maximum: 9223372036854775807 } }]')} }`), ['GET /a p:query -> status (p: maximum beyond 2^53)']],
  ['a wrong default', head(`  /a: { ${get('parameters: [{ name: p, in: query, schema: { type: integer, maximum: 5, default: 7 } }]')} }`), ['GET /a p:query -> status (p: a default that does not fit)']],
  ['`oneOf` beside `enum`', body('{ type: object, properties: { k: { type: integer, enum: [1], oneOf: [{ const: 1 }, { const: 2 }] } } }'), ['POST /a k:body as application/json -> status']],
  ['`oneOf` with a discriminator', body('{ oneOf: [{ type: object, required: [k], properties: { k: { const: a } } }, { type: object, required: [k], properties: { k: { const: b } } }], discriminator: { propertyName: k } }'), ['POST /a body:whole-body as application/json -> status']],
  ['alternatives that are made of what they are alternatives of', head(`  /a: { post: { operationId: a, requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }, responses: { '200': ${answer(`{ $ref: '#/components/schemas/Cat' }`)} } } }`, `components: { schemas: { Pet: { type: object, required: [kind], properties: { kind: { type: string } }, oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind } }, Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { lives: {} } }] }, Dog: { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { bark: {} } }] } } }`), ['POST /a body:whole-body as application/json -> kind,lives?']],
  ['values and a default that hide characters', head(`  /a: { ${get('parameters: [{ name: p, in: query, schema: { type: string, enum: [a, "b\\u202e"] } }, { name: q, in: query, schema: { type: string, default: "\\u200b" } }]')} }`), ['GET /a p:query q:query -> status (p: enum values that hide characters; q: a default that hides characters)']],
  ['names and patterns that hide characters', body('{ type: object, properties: { k: { type: object, required: ["n\\u2066"], properties: { "n\\u2066": {}, m: { type: string, pattern: "^\\u2060$" } } } } }'), ['POST /a k:body as application/json -> status (k: a member whose name hides characters, a pattern that hides characters)']],
  ['an operation that is called `constructor`', head(`  /a: { get: { operationId: constructor, ${DONE} } }`), ['GET /a -> status']],
  ['choices that overlap', body('{ type: object, properties: { k: { oneOf: [{ type: number }, { type: integer }] } } }'), ['POST /a k:body as application/json -> status (k: oneOf (taken as anyOf))']],
  ['OpenAPI 3.2: QUERY, another method, a whole query', `openapi: 3.2.0\npaths:\n  /a:\n    query: { operationId: a, ${DONE} }\n    additionalOperations: { COPY: { operationId: b, ${DONE} } }\n    get: { operationId: c, parameters: [{ name: q, in: querystring, content: { application/x-www-form-urlencoded: { schema: { type: object } } } }], ${DONE} }\n`, ['GET /a q:query-string -> status', 'QUERY /a -> status', 'COPY /a -> status']],
  ['a server at its path, which --server replaces', head(`  /a: { servers: [{ url: 'https://other.example' }], ${get()} }`), ['GET /a -> status']],
  ['another server at one path', head(`  /a: { servers: [{ url: 'https://other.example' }], ${get()} }`, "servers: [{ url: 'https://shop.example' }]"), ['a is served by https://other.example, and the credential goes to https://shop.example only. Import it into the same service by itself, with --server https://other.example and another --name.']],
  ['a bracket that closes below its key', `openapi: 3.0.0\npaths:\n  /a:\n    get:\n      operationId: a\n      x-example: {\n        "b": {},\n        "c": [\n        ]\n      }\n      ${DONE}\n`, ['GET /a -> status']],
  ['a member that is not to the right of its key', `openapi: 3.0.0\npaths:\n  /a:\n    get:\n      x-example: {\n      "b": {},\n      }\n`, ['6:7 The document is neither JSON nor YAML: deficient indentation.']],
  ['bytes of any type', body('{ type: string, format: binary }', "'*/*'"), ['POST /a body:whole-body as application/octet-stream -> status']],
  ['any type of text', body('{ type: string }', 'text/*'), ['POST /a body:whole-body as text/plain -> status']],
  ['any type of image', body('{ type: string, format: binary }', 'image/*'), ['A body that is image/* is required, and cannot be sent.']],
  ['a plain text of a scalar', body('{ type: boolean }', 'text/plain'), ['POST /a body:whole-body as text/plain -> status']],
  ['a plain text of a date', body('{ type: string, format: date }', 'text/plain; charset=utf-8'), ['POST /a body:whole-body as text/plain; charset=utf-8 -> status']],
  ['a plain text of an object', body('{ type: object }', 'text/plain'), ['A body that is text/plain, of object values is required, and cannot be sent.']],
  ['comments in JSON', `// one\n{ "openapi": "3.0.0", /* two */ "paths": { "/a": { "get": { "operationId": "a", "responses": { "204": {} }, } } } }`, ['GET /a -> status']],
  ['several answers with 2xx', head(`  /a: { post: { operationId: a, responses: { '200': { content: { application/json: { schema: { type: object, properties: { n: {} } } } } }, '202': { description: later } } } }`), ['POST /a -> n?']],
  ['several answers of one shape', head(`  /a: { put: { operationId: a, responses: { '200': ${answer(SHAPE)}, '201': ${answer(SHAPE)} } } }`), ['PUT /a -> n,m?']],
  ['several answers of different members', head(`  /a: { put: { operationId: a, responses: { '200': ${answer(SHAPE)}, '202': ${answer('{ type: object, required: [n, job], properties: { n: { type: integer }, job: { type: string } } }')} } } }`), ['PUT /a -> n,m?,job?']],
  ['several answers of different kinds', head(`  /a: { get: { operationId: a, responses: { '200': ${answer('{ type: array, items: {} }')}, '202': ${answer(SHAPE)} } } }`), ['GET /a -> value']],
  ['`default` beside 204', head(`  /a: { delete: { operationId: a, responses: { '204': { description: gone }, default: { content: { application/json: { schema: { type: object, properties: { error: {} } } } } } } } }`), ['DELETE /a -> status']],
  ['a body of 204, which has none', head(`  /a: { delete: { operationId: a, responses: { '204': ${answer(SHAPE)} } } }`), ['DELETE /a -> status']],
  ['a body of 204 beside one of 200', head(`  /a: { put: { operationId: a, responses: { '200': ${answer(SHAPE)}, '204': ${answer('{}')} } } }`), ['PUT /a -> n?,m?']],
  ['a body of HEAD, which has none', head(`  /a: { head: { operationId: a, responses: { '200': ${answer(SHAPE)} } } }`), ['HEAD /a -> status']],
  ['a member that refers to nothing', body(`{ type: object, properties: { n: { $ref: '#/gone' }, m: { type: array, items: { $ref: '#/gone' } } } }`), ['POST /a n:body m:body as application/json -> status (n: the reference "#/gone", which leads to nothing; m: the reference "#/gone", which leads to nothing)']],
  ['a required member that is described nowhere', body('{ type: object, required: [n], properties: { m: {} } }'), ['POST /a m:body n:body as application/json -> status']],
  ['a body that refers to nothing', body(`{ $ref: '#/gone' }`), ['The reference "#/gone" leads to nothing.']],
  ['`default` alone', head(`  /a: { get: { operationId: a, responses: { default: { content: { application/json: { schema: { type: object, properties: { n: {} } } } } } } } }`), ['GET /a -> n?']],
  ['`2XX`', head(`  /a: { get: { operationId: a, responses: { 2XX: { content: { application/json: { schema: { type: object, properties: { n: {} } } } } } } } }`), ['GET /a -> n?']],
  ['members that are `writeOnly` or `readOnly`', head(`  /a: { put: { operationId: a, requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/U' } } } }, responses: { '200': { content: { application/json: { schema: { $ref: '#/components/schemas/U' } } } } } } }`, 'components: { schemas: { U: { type: object, required: [id, word], properties: { id: { type: string, readOnly: true }, word: { type: string, writeOnly: true }, n: {} } } } }'), ['PUT /a word:body n:body as application/json -> id,n?']],
])('reads %s', (_, text, lines, beside) => {
  expect(linesOf(text, beside)).toEqual(lines)
}) // prettier-ignore

it.each([
  ['head', `{ '200': { description: ok, content: { text/plain: { schema: { type: string } } } } }`, 'text/plain'],
  ['delete', `{ '204': { description: gone, content: { application/problem+json: {} } } }`, 'application/problem+json'],
  ['delete', `{ '204': { description: gone } }`, 'application/json'],
  ['get', `{ '200': { description: ok, content: { text/csv: {} } }, '204': { description: none, content: { text/html: {} } } }`, 'text/csv'],
])('asks by %s with the answers %s for %s', (method, responses, accept) => {
  const root = readApiDocument('api.yaml', head(`  /a: { ${method}: { operationId: a, responses: ${responses} } }`)) as ApiDocument
  const description = { root, documents: new Map(), wanted: new Set<string>(), target: fileTarget, findings: [] as ApiFinding[] }
  const upstream = upstreamOf(description, 'openapi', { server: 'https://shop.example' })!
  const { operations } = importOperations(description, 'openapi', upstream, apiOperationsOf(description))
  expect(operations.map((each) => each.accept)).toEqual([accept])
}) // prettier-ignore
