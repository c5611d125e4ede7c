/** What two descriptions become as a whole: the fragment, the files that call the service behind, and what is said of them. */
import { expect, it } from 'vitest'
import { importOperations } from '../../../src/compiler/openapi/import-operations.js'
import { findingAt, readApiDocument } from '../../../src/compiler/openapi/library.js'
import type { FaultText } from '../../../src/compiler/openapi/faults.js'
import { apiOperationsOf, capabilityNameOf, dialectOf } from '../../../src/compiler/openapi/operations.js'
import { inputName } from '../../../src/compiler/openapi/inputs.js'
import { fragmentOf } from '../../../src/compiler/openapi/print-fragment.js'
import { importedSourcesOf } from '../../../src/compiler/openapi/print-handlers.js'
import type { Description } from '../../../src/compiler/openapi/references.js'
import { addressTarget, fileTarget } from '../../../src/compiler/openapi/targets.js'
import { upstreamOf } from '../../../src/compiler/openapi/upstream.js'

const describing = (api: object): Description => {
  const root = readApiDocument('api.json', JSON.stringify(api, undefined, 1))
  if ('line' in root) throw new Error(root.message)
  return { root, documents: new Map(), wanted: new Set<string>(), target: () => ({ why: 'It leads elsewhere.' }), findings: [] } as never
} // prettier-ignore

const made = (api: object): string => {
  const description = describing(api)
  const dialect = dialectOf(description)!
  const upstream = upstreamOf(description, dialect, {})!
  const imported = importOperations(description, dialect, upstream, apiOperationsOf(description))
  return [
    `--- ${upstream.id}, ${upstream.title}, ${upstream.url}, ${JSON.stringify(upstream.security.usual)}`,
    ...imported.operations.map(({ name, notes }) => `${name}: ${notes.join('; ')}`),
    ...imported.notes,
    ...description.findings.map(({ pointer, message }) => `${pointer}: ${message}`),
    ...imported.refused.flatMap(({ findings }) => findings.map(({ pointer, message }) => `${pointer}: ${message}`)),
    '--- fragment',
    fragmentOf(upstream.id, imported),
    ...importedSourcesOf(upstream, imported.operations).map(({ path, text }) => `--- ${path}\n${text}`),
  ].join('\n')
} // prettier-ignore

const text = { type: 'string' }
const ok = (schema?: object) => ({ 200: { description: 'ok', ...(schema && { content: { 'application/json': { schema } } }) } }) // prettier-ignore
const body = (schema: object, type = 'application/json', required = true) => ({ requestBody: { required, content: { [type]: { schema } } } }) // prettier-ignore
const at = (place: string, name: string, more: object = {}) => ({ in: place, name, schema: text, ...more })
const NODE = { type: 'object', properties: { name: text, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } }, required: ['name'] } // prettier-ignore

it('OpenAPI 3.1', async () => {
  const paths = {
    'x-own': { get: { operationId: 'own', responses: { 200: { description: 'ok' } } } },
    '/orders': {
      parameters: [at('header', 'X-Tenant', { required: true }), at('query', 'state', { description: 'Of all.' })],
      get: {
        operationId: 'Orders/listAll',
        summary: 'List orders',
        description: 'Lists what was ordered, newest first.',
        parameters: [
          at('query', 'state', { schema: { ...text, enum: ['open', 'closed'], default: 'open' }, description: 'Which ones.' }),
          at('query', 'size', { schema: { type: 'integer', default: 10.5 } }),
          at('query', 'page', { schema: { type: 'integer', default: 1 } }),
          at('query', 'ids', { explode: false, schema: { type: 'array', items: text } }),
          at('query', 'tags', { style: 'pipeDelimited', schema: { type: 'array', items: text } }),
          at('query', 'filter', { schema: { type: 'object' } }),
          at('query', 'raw', { schema: undefined, content: { 'application/json': { schema: { type: 'boolean' } } } }),
          at('cookie', 'session'),
          at('header', 'Authorization'),
          at('header', 'X Trace'),
          at('query', 'task_id'),
        ],
        responses: ok({ type: 'array', items: { $ref: '#/components/schemas/Node' } }),
      },
      post: {
        operationId: 'createOrder',
        ...body({ type: 'object', properties: { state: text, note: { ...text, readOnly: true }, lines: { type: 'array', items: NODE }, 'per-page': { type: 'integer', minimum: 1 } }, required: ['lines'], minProperties: 1, additionalProperties: text }),
        responses: ok({ type: 'object', properties: { id: text, 'total-cost': { type: ['number', 'null'] } }, required: ['id'] }),
      },
    },
    '/orders/{id}/{part}': {
      put: { parameters: [at('path', 'id', { schema: { ...text, format: 'uuid' } })], ...body({ type: 'array', items: text }), responses: { 204: { description: 'done' } } },
      patch: { operationId: '9lives', parameters: [at('path', 'id'), at('path', 'part')], ...body({ oneOf: [{ type: 'object', properties: { a: text } }, { type: 'object', properties: { b: text } }] }, 'application/merge-patch+json', false), responses: ok(text) },
      delete: { operationId: 'delete', parameters: [at('path', 'id'), at('path', 'part')], responses: ok() },
      head: { operationId: 'head', parameters: [at('path', 'id'), at('path', 'part')], responses: {} },
      options: 'nothing',
    },
    '/beta?beta=true#b': { get: { operationId: 'beta', responses: ok() } },
    '/nameless': { get: { operationId: 'nameless', parameters: [{ in: 'query' }], responses: ok() } },
    '/forms': {
      post: { operationId: 'sendForm', summary: 'Send', ...body({ type: 'object', properties: { a: text }, required: ['a'] }, 'application/x-www-form-urlencoded'), responses: ok({ $ref: '#/components/schemas/Node' }) },
      put: { operationId: 'sendText', ...body(text, 'application/x-www-form-urlencoded'), responses: ok() },
      patch: { operationId: 'sendFile', ...body(text, 'multipart/form-data'), responses: ok() },
      delete: { operationId: 'mayHaveFile', ...body(text, 'multipart/form-data', false), responses: ok() },
      get: { operationId: 'delete', servers: [{ url: 'https://elsewhere.example' }], responses: ok() },
    },
  }
  const api = {
    openapi: '3.1.0',
    info: { title: 'The Shop' },
    servers: [{ url: 'https://{region}.shop.example/v2/', variables: { region: { default: 'eu' } } }],
    paths,
    components: { schemas: { Node: NODE }, securitySchemes: { inQuery: { type: 'apiKey', in: 'query', name: 'key' }, inHeader: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  }
  await expect(made(api)).toMatchFileSnapshot('whole-openapi.txt')
}) // prettier-ignore

it('Swagger 2.0', async () => {
  const paths = {
    '/orders/{id}': {
      get: {
        operationId: 'getOrder',
        parameters: [
          { in: 'path', name: 'id', type: 'string', required: true },
          { in: 'query', name: 'fields', type: 'array', items: text, collectionFormat: 'multi' },
          { in: 'query', name: 'expand', type: 'array', items: text },
          { in: 'query', name: 'sort', type: 'array', items: text, collectionFormat: 'ssv' },
        ],
        responses: { 200: { description: 'ok', schema: { type: 'object', properties: { id: text } } } },
      },
      put: { operationId: 'putOrder', parameters: [{ in: 'path', name: 'id', type: 'string', required: true }, { in: 'body', name: 'order', required: true, schema: { type: 'object', properties: { a: text }, required: ['a'] } }], responses: {} },
      post: { operationId: 'formOrder', parameters: [{ in: 'path', name: 'id', type: 'string', required: true }, { in: 'formData', name: 'a', type: 'integer', required: true }, { in: 'formData', name: 'file', type: 'file' }], responses: {} },
      patch: { operationId: 'fileOrder', parameters: [{ in: 'path', name: 'id', type: 'string', required: true }, { in: 'formData', name: 'file', type: 'file', required: true }], responses: {} },
    },
  }
  const api = { swagger: '2.0', info: { title: 'Old' }, host: 'old.example', basePath: '/v1', schemes: ['http', 'https'], paths, securityDefinitions: { basic: { type: 'basic' } } }
  await expect(made(api)).toMatchFileSnapshot('whole-swagger.txt')
}) // prettier-ignore

it.each([
  [{ openapi: '3.3.0' }, '/openapi', 'The version "3.3.0" is not read; OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0 are.'],
  [
    { openapi: '3.10.0' },
    '/openapi',
    'The version "3.10.0" is not read; OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0 are.',
  ],
  [{ swagger: '1.2' }, '/swagger', 'The version "1.2" is not read; OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0 are.'],
  [{}, '', 'This is no description of an API: it needs `openapi: 3.0.x`, `3.1.x` or `3.2.x`, or `swagger: "2.0"`.'],
])('reads no other version: %j', (api, pointer, message) => {
  const description = describing(api)
  expect(dialectOf(description)).toBeUndefined()
  expect(description.findings).toEqual([expect.objectContaining({ pointer, message })])
})

it('finds nothing in what is no description', () => {
  for (const [api, message] of [[{ openapi: '3.0.0' }, 'There is no `paths`.'], [{ paths: { '/a': [] } }, 'The path /a must be an object.'], [{ paths: { '/a': { get: 1 } } }, 'get /a must be an object.']] as const) {
    const description = describing(api)
    expect([apiOperationsOf(description), description.findings.map((each) => each.message)]).toEqual([[], [message]])
  }
}) // prettier-ignore

it.each([
  ['issues/create-comment', 'issues_create_comment'],
  ['listHTTPThings', 'list_http_things'],
  ['Größe', 'gro_e'],
  ['9lives', 'op_9lives'],
  ['!!', 'get_a_b'],
  ['x'.repeat(120), 'x'.repeat(100)],
])('the operation %s is the capability %s', (id, name) => {
  expect(capabilityNameOf({ id, method: 'get', path: '/a/{b}' })).toBe(name)
})

it.each([
  ['*/*', 'string', "output: { as: 'value', text: true },"],
  ['*/*', 'integer', "output: { as: 'value' },"],
  ['text/plain', 'string', "output: { as: 'value', text: true },"],
  ['application/json', 'string', "output: { as: 'value' },"],
])('an answer of %s beside JSON, a %s, has the %s', (type, of, line) => {
  const content = { 'application/json': { schema: { type: of } }, [type]: { schema: { type: of } } }
  const get = { operationId: 'a', responses: { 200: { description: 'ok', content } } }
  const written = made({ openapi: '3.0.0', servers: [{ url: 'https://shop.example' }], paths: { '/a': { get } } })
  expect(/output: \{ as.*/u.exec(written)?.[0]).toBe(line)
})

it.each([
  ['get', 'GET suggests { type: read }', 'read'],
  ['head', 'HEAD suggests { type: read }', 'read'],
  ['options', 'OPTIONS suggests { type: read }', 'read'],
  ['put', 'PUT suggests { type: write }', 'write'],
  ['patch', 'PATCH suggests { type: write }', 'write'],
  ['post', 'POST suggests { type: write }', 'write'],
  ['delete', 'DELETE suggests { type: irreversible }', 'write'],
])('of a %s, a person decides: %s', (method, effect, scope) => {
  const lines = made({
    openapi: '3.0.0',
    servers: [{ url: 'https://shop.example' }],
    paths: { '/a': { [method]: { operationId: 'a' } } },
  }).split('\n')
  expect(lines.filter((line) => /side_effect|minimum_scope/u.test(line))).toEqual([
    `    side_effect: TODO # ${effect}`,
    `    minimum_scope: TODO # such as [shop.${scope}]`,
  ])
})

it.each<[object, string | undefined]>([
  [{ type: 'integer', default: 10 }, 'default: 10'],
  [{ type: 'integer', default: 10.5 }, undefined],
  [{ type: 'integer', default: 9_007_199_254_740_992 }, undefined],
  [{ type: 'number', default: 10.5 }, 'default: 10.5'],
  [{ type: 'number', default: '1' }, undefined],
  [{ type: 'boolean', default: false }, 'default: false'],
  [{ type: 'boolean', default: 'false' }, undefined],
  [{ type: 'string', default: 'a' }, 'default: a'],
  [{ type: 'string', default: 1 }, undefined],
  [{ type: 'string', enum: ['a', 'b'], default: 'b' }, 'default: b'],
  [{ type: 'string', enum: ['a', 'b'], default: 'c' }, undefined],
  [{ type: 'array', items: text, default: [] }, undefined],
])('an input of a query as %j has the %s', (schema, line) => {
  const fragment = (parameter: object) =>
    made({
      openapi: '3.0.0',
      servers: [{ url: 'https://shop.example' }],
      paths: { '/a': { get: { operationId: 'a', parameters: [{ name: 'n', schema, ...parameter }] } } },
    })
  const defaultIn = (written: string) => /default: .*/u.exec(written)?.[0]
  expect(defaultIn(fragment({ in: 'query' }))).toBe(line)
  expect(defaultIn(fragment({ in: 'query', required: true }))).toBeUndefined()
  expect(defaultIn(fragment({ in: 'header' }))).toBeUndefined()
})

it.each([
  ['perPage', 'perPage'],
  ['per-page', 'per_page'],
  ['9', 'field_9'],
  ['!', 'field_value'],
  ['Name', 'name'],
])('the parameter %s is the input %s', (wire, name) => {
  expect(inputName(wire)).toBe(name)
})

it.each<[string, string | undefined]>([
  ['b.yaml', 'api/b.yaml'],
  ['./b%20c.yaml', 'api/b c.yaml'],
  ['../b.yaml', 'b.yaml'],
  ['../../b.yaml', undefined],
  ['%2e%2e/%2e%2e/b.yaml', undefined],
  ['/etc/passwd', undefined],
  ['a\\b.yaml', undefined],
  ['a%5Cb.yaml', undefined],
  ['a%00.yaml', undefined],
  ['%2Fetc', undefined],
  ['%', undefined],
  ['https://elsewhere.example/b.yaml', undefined],
  ['//elsewhere.example/b.yaml', undefined],
])('of a file, %s leads to %s', (reference, name) => {
  const target = fileTarget('api/a.yaml', reference)
  expect('name' in target ? target.name : undefined).toBe(name)
})

it.each<[string, string | undefined]>([
  ['b.yaml#/c', 'https://a.example/api/b.yaml'],
  ['https://a.example/c', 'https://a.example/c'],
  ['https://a.example:8443/c', undefined],
  ['http://a.example/c', undefined],
  ['https://me@a.example/c', undefined],
  ['//b.example/c', undefined],
])('of an address, %s leads to %s', (reference, name) => {
  const target = addressTarget('https://a.example/api/a.yaml', reference)
  expect('name' in target ? target.name : undefined).toBe(name)
})

it.each([
  ['', 'The document is empty.', 1],
  ['null', 'The document is empty.', 1],
  ['a: [', 'The document is neither JSON nor YAML: ', 1],
  ['\n\na: 1\na: 2\n', 'The key "a" is there twice. Keep one of them.', 4],
  ['{ "a": { "b": 1, "c": 2,\n"b": 3 } }', 'The key "b" is there twice. Keep one of them.', 2],
])('reads no %j', (document, message, line) => {
  expect(readApiDocument('a.yaml', document)).toMatchObject({ file: 'a.yaml', line, pointer: '', message: expect.stringContaining(message) }) // prettier-ignore
})

it('says where a finding stands, or what is around it', () => {
  const document = { file: 'a.yaml', text: 'paths:\n  /a/b:\n    get:\n      - x\n      - y\n', value: {} }
  const lineOf = (pointer: string) => findingAt(document, pointer, 'm' as FaultText).line
  expect(['', '/paths', '/paths/~1a~1b', '/paths/~1a~1b/get/1', '/paths/~1a~1b/put', '/none'].map(lineOf)).toEqual([1, 1, 2, 5, 2, 1]) // prettier-ignore
})

it.each<[string, string, object]>([
  ['a merge key', 'a: &a { x: 1 }\nb: { <<: *a, y: 2 }', { a: { x: 1 }, b: { x: 1, y: 2 } }],
  ['comments and a comma at the end', '// one\n{ "a": [1, /* two */ 2,], }', { a: [1, 2] }],
  ['a map in YAML that begins as JSON does', '{ a: 1 }', { a: 1 }],
])('reads %s', (_, text, value) => {
  expect(readApiDocument('a', text)).toMatchObject({ value })
})
