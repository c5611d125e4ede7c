import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { svc as command } from './command.js'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'svc-import-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

const BIN = resolve('bin/svc.cjs')
const svc = (...args: readonly string[]) => command(args, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } })
const write = (name: string, content: unknown): void => {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, undefined, 2))
}
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

const SHOP = `openapi: 3.0.3
info: { title: Shop, version: "1" }
servers: [{ url: https://api.shop.example/v2 }]
paths:
  /orders:
    parameters:
      - { name: tenant, in: header, required: true, schema: { type: string } }
    get:
      operationId: listOrders
      summary: List orders
      tags: [orders]
      parameters:
        - { name: state, in: query, schema: { type: string, enum: [open, closed], default: open } }
        - { name: page-size, in: query, schema: { type: integer, maximum: 100 } }
      responses:
        200: { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Order' } } } } }
    post:
      operationId: createOrder
      summary: Create an order
      tags: [orders]
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/NewOrder' } } }
      responses:
        '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
  /orders/{id}:
    delete:
      operationId: deleteOrder
      parameters: [{ name: id, in: path, required: true, schema: { type: string, format: uuid } }]
      responses: { '204': { description: gone } }
components:
  schemas:
    NewOrder:
      allOf:
        - { type: object, required: [item], properties: { item: { type: string, description: What is ordered. } } }
        - { type: object, properties: { note: { type: string, nullable: true }, lines: { type: array, items: { type: string } } } }
    Order:
      type: object
      required: [id, parent]
      properties:
        id: { type: string, format: uuid }
        made_at: { type: string, format: date-time }
        parent: { $ref: '#/components/schemas/Order' }
`

const HEAD = 'openapi: 3.0.0\nservers: [{ url: https://shop.example }]\npaths:\n'

describe('svc import openapi', () => {
  it('imports nothing unless it is chosen, and lists what there is', async () => {
    write('shop.yaml', SHOP)
    expect(await svc('import', 'openapi', 'shop.yaml')).toMatchObject({
      status: 2,
      stderr:
        'svc: Nothing is imported unless it is chosen: --operation <id>, --tag <tag>, --all, or look with --list.\n',
    })
    expect((await svc('import', 'openapi', 'shop.yaml', '--list')).stdout).toBe(
      'listOrders  GET /orders  [orders]  List orders\ncreateOrder  POST /orders  [orders]  Create an order\ndeleteOrder  DELETE /orders/{id}  []  \n3 operations.\n',
    )
    expect((await svc('import', 'openapi', 'shop.yaml', '--list', '--tag', 'orders')).stdout).toContain('2 operations.')
    expect((await svc('import', 'openapi', 'shop.yaml', '--operation', 'listOrder')).stderr).toContain(
      'Did you mean listOrders?',
    )
    expect((await svc('import', 'openapi', 'shop.yaml', '--tag', 'x')).stderr).toContain(
      'No operation has the tag "x"; there are orders.',
    )
    expect(existsSync(join(folder, 'svc.yaml'))).toBe(false)
  })

  it('leaves effect, scope, cost and approval to a person, and says what it could not carry', async () => {
    write('shop.yaml', SHOP)
    const done = await svc(
      'import',
      'openapi',
      'shop.yaml',
      '--tag',
      'orders',
      '--operation',
      'DELETE /orders/{id}',
      '--into',
      'desk',
    )
    expect(done).toMatchObject({ status: 0, stderr: '' })
    expect(done.stdout).toContain(
      '3 of 3 operations imported. Calls go to https://api.shop.example/v2 and nowhere else, with SHOP_CREDENTIAL of the environment.',
    )
    const fragment = read('desk/capabilities/shop.yaml')
    expect(fragment).toContain('side_effect: TODO # GET suggests { type: read }')
    expect(fragment).toContain('side_effect: TODO # DELETE suggests { type: irreversible }')
    expect(fragment).toContain(
      '- name: page_size\n        type: integer\n        required: false\n        x-schema: { maximum: 100 }\n',
    )
    expect(fragment).toContain(
      "- { name: id, type: uuid }\n        - { name: made_at, type: [datetime, 'null'] }\n        - name: parent\n          type: object\n          x-schema: { $ref: '#/x-schemas/ShopOrder' }",
    )
    expect(fragment).toContain(
      '- name: item\n        type: string\n        description: What is ordered.\n      - name: note\n        type: any\n        required: false',
    )
    const checked = await command(['validate'], { cwd: join(folder, 'desk') })
    expect(checked.status).toBe(1)
    const codes = [...checked.stdout.matchAll(/ error (SVC\d{4})/gu)].map(([, code]) => code)
    expect(codes).toEqual(Array.from({ length: 12 }, () => 'SVC2013'))
    expect(read('desk/.env')).toMatch(/\nSHOP_CREDENTIAL=\n$/u)
    expect(read('desk/src/handlers/create_order.ts')).toContain("tenant: { in: 'header', name: 'tenant' }")
  })

  it('builds once everything is decided, and its code has the types of the manifest', async () => {
    write('shop.yaml', SHOP)
    await svc('import', 'openapi', 'shop.yaml', '--tag', 'orders', '--into', 'desk')
    write('desk/capabilities/shop.yaml', decided(read('desk/capabilities/shop.yaml')))
    mkdirSync(join(folder, 'desk/node_modules/@modelcontextprotocol'), { recursive: true })
    mkdirSync(join(folder, 'desk/node_modules/@types'), { recursive: true })
    for (const name of ['@modelcontextprotocol/server', '@types/node'])
      symlinkSync(resolve('node_modules', name), join(folder, 'desk/node_modules', name))
    symlinkSync(resolve('.'), join(folder, 'desk/node_modules/svc-kit'))
    const built = await command(['build'], { cwd: join(folder, 'desk') })
    expect([built.status, built.stdout]).toMatchObject([0, expect.not.stringContaining('handler')])
    const types = spawnSync(process.execPath, [resolve('node_modules/typescript-5.9/bin/tsc'), '-p', '.'], {
      cwd: join(folder, 'desk'),
      encoding: 'utf8',
    })
    expect(types.stdout).toBe('')
    expect(types.status).toBe(0)
  }, 60_000)

  it('adds to a service that is there, and to its list of handlers the line of a new one', async () => {
    write('shop.yaml', SHOP)
    write('svc.yaml', 'here')
    write('src/handlers/index.ts', '// mine\nexport { one } from "./one.js"; // kept\n')
    const done = await svc('import', 'openapi', 'shop.yaml', '--operation', 'listOrders', '--name', 'store')
    expect(done.stdout).toContain('src/handlers/index.ts hands 1 of 1 handlers over.')
    expect([read('svc.yaml'), read('src/handlers/index.ts')]).toEqual([
      'here',
      '// mine\nexport { one } from "./one.js"; // kept\nexport { listOrders } from "./list_orders.js";\n',
    ])
    expect(read('src/store.ts')).toContain("process.env['STORE_CREDENTIAL']")
    expect(
      (await svc('import', 'openapi', 'shop.yaml', '--operation', 'listOrders', '--name', 'store')).stderr,
    ).toContain('are in')
  })

  it('tells operations of one operationId apart by method and path', async () => {
    write('twice.yaml', SHOP.replace('operationId: createOrder', 'operationId: listOrders'))
    const choose = (...options: readonly string[]) =>
      svc('import', 'openapi', 'twice.yaml', '--into', 'desk', ...options)
    expect(await choose('--operation', 'listOrders')).toMatchObject({
      status: 2,
      stderr:
        'svc: 2 operations are named "listOrders". Choose one by its method and path: ' +
        '--operation "GET /orders" or --operation "POST /orders".\n',
    })
    const both = ['--operation', 'GET /orders', '--operation', 'POST /orders']
    expect(await choose(...both)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'GET /orders and POST /orders would both be the capability list_orders. Give one another name: ' +
          '--rename "POST /orders=list_orders_2".',
      ) as string,
    })
    expect((await choose(...both, '--rename', 'POST /orders=order_goods')).status).toBe(0)
    expect(read('desk/src/handlers/list_orders.ts')).toContain("method: 'GET'")
    expect(read('desk/src/handlers/order_goods.ts')).toContain("method: 'POST'")
  })

  it('gives an answer whole whose members have no name that a field may take', async () => {
    write('named.yaml', SHOP.replace('      required: [id, parent]\n', '').replace(/(    Order:\n      type: object\n)[^]*/u, '$1      properties: { constructor: { type: string } }\n')) // prettier-ignore
    expect((await svc('import', 'openapi', 'named.yaml', '--operation', 'createOrder', '--into', 'desk')).status).toBe(
      0,
    )
    expect(read('desk/src/handlers/create_order.ts')).toContain("output: { as: 'value' }")
    const fragment = read('desk/capabilities/shop.yaml')
      .replace('side_effect: TODO', 'side_effect: { type: write }')
      .replace('minimum_scope: TODO', 'minimum_scope: [shop.write]')
      .replaceAll(/^ +(?:cost|approval): TODO.*\n/gmu, '')
    write('desk/capabilities/shop.yaml', fragment)
    expect((await svc('validate', 'desk')).stdout).not.toContain(' error ')
  })

  it('sends files of Swagger 2.0, and several values in their style', async () => {
    const photo = (required: boolean) => ({
      swagger: '2.0', host: 'pets.example', schemes: ['https'], info: { title: 'Pets', version: '1' },
      paths: { '/photos': { post: { operationId: 'upload', responses: { 200: { description: 'ok' } }, parameters: [
        { name: 'photo', in: 'formData', type: 'file', required },
        { name: 'note', in: 'formData', type: 'string' },
        { name: 'tags', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'pipes' },
      ] } } },
    }) // prettier-ignore
    for (const required of [true, false]) {
      const into = `desk-${required}`
      write('photos.json', photo(required))
      expect((await svc('import', 'openapi', 'photos.json', '--operation', 'upload', '--into', into)).status).toBe(0)
      const handler = read(`${into}/src/handlers/upload.ts`)
      expect(handler).toContain("photo: { in: 'body', name: 'photo', file: 'application/octet-stream' },")
      expect(handler).toContain("tags: { in: 'query', name: 'tags', style: 'pipeDelimited' },")
      expect(handler).toContain(
        `body: { type: 'multipart/form-data', as: 'multipart'${required ? ', required: true' : ''} },`,
      )
    }
  })

  it('reads Swagger 2.0 in JSON', async () => {
    const parameters = [
      { name: 'ids', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'csv' },
      { name: 'order', in: 'body', required: true, schema: { $ref: '#/definitions/Order' } },
    ]
    write('api.json', {
      swagger: '2.0',
      info: { title: 'S', version: '1' },
      host: 'api.shop.example',
      basePath: '/v1',
      schemes: ['http', 'https'],
      securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      definitions: { Order: { type: 'object', required: ['item'], properties: { item: { type: 'string' } } } },
      paths: {
        '/orders': {
          post: {
            operationId: 'addOrder',
            parameters,
            responses: { 200: { description: 'ok', schema: { $ref: '#/definitions/Order' } } },
          },
        },
        '/forms': {
          post: {
            operationId: 'form',
            consumes: ['application/x-www-form-urlencoded'],
            parameters: [{ name: 'a', in: 'formData', type: 'string', required: true }],
            responses: {},
          },
        },
      },
    })
    expect(
      await svc('import', 'openapi', 'api.json', '--operation', 'addOrder', '--operation', 'form', '--into', 'desk'),
    ).toMatchObject({ status: 0 })
    expect(read('desk/src/handlers/add_order.ts')).toContain(
      "ids: { in: 'query', name: 'ids', explode: false },\n        item: { in: 'body', name: 'item' },",
    )
    expect(read('desk/src/handlers/form.ts')).toContain(
      "a: { in: 'body', name: 'a' },\n      },\n      body: { type: 'application/x-www-form-urlencoded', as: 'form', required: true },\n      output: { as: 'status' },",
    )
    expect(read('desk/src/shop.ts')).toContain("url: process.env['SHOP_URL'] ?? 'https://api.shop.example/v1'")
    expect(read('desk/src/shop.ts')).toContain("in: 'header', name: 'X-Key', value:")
  })

  it('reads OpenAPI 3.1: types in lists, const, references into other files', async () => {
    write(
      'api.yaml',
      `openapi: 3.1.0
info: { title: S, version: "1" }
servers: [{ url: 'https://{region}.shop.example', variables: { region: { default: eu } } }]
paths:
  /things: { $ref: 'parts/things.yaml#/things' }
`,
    )
    write(
      'parts/things.yaml',
      `things:
  put:
    operationId: putThing
    requestBody: { content: { application/json: { schema: { $ref: '../schemas.json#/Thing' } } } }
    responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '../schemas.json#/Thing' } } } } }
`,
    )
    write('schemas.json', {
      Thing: {
        type: 'object',
        required: ['kind', 'size'],
        properties: {
          kind: { oneOf: [{ const: 'a' }, { const: 'b' }] },
          size: { type: ['integer', 'null'] },
          mixed: { anyOf: [{ type: 'string' }, { type: 'object' }] },
        },
      },
    })
    expect(await svc('import', 'openapi', 'api.yaml', '--operation', 'putThing', '--into', 'desk')).toMatchObject({
      status: 0,
    })
    const fragment = read('desk/capabilities/shop.yaml')
    expect(fragment).toContain(
      '- name: kind\n        type: string\n        required: false\n        allowed_values: [a, b]',
    )
    expect(fragment).toContain("- { name: size, type: [integer, 'null'] }")
    expect(fragment).toContain(
      '- name: mixed\n        type: any\n        required: false\n        x-schema: { anyOf: [{ type: string }, { type: object }] }\n',
    )
    expect(read('desk/src/shop.ts')).toContain("'https://eu.shop.example'")
  })

  it.each([
    ['openapi: [3', 'api.yaml:1:12 error The document is neither JSON nor YAML: '],
    ['{"openapi": "3.0.0", "paths": {', 'api.yaml:1:32 error The document is neither JSON nor YAML: '],
    ['', 'api.yaml:1:1 error The document is empty.'],
    ['a: 1', 'api.yaml:1:1 error This is no description of an API'],
    ['openapi: 4.0.0', 'api.yaml:1:1 error /openapi: The version "4.0.0" is not read'],
    ['openapi: 3.0.0\ninfo: {}\n', 'api.yaml:1:1 error There is no `paths`.'],
    ['openapi: 3.0.0\npaths:\n  /x: 3', 'api.yaml:3:3 error /paths/~1x: The path /x must be an object.'],
    [
      `${HEAD}  /x:\n    get:\n      parameters: [{ $ref: '#/nowhere' }]`,
      'api.yaml:6:20 error /paths/~1x/get/parameters/0: The reference "#/nowhere" leads to nothing.',
    ],
    [
      `${HEAD}  /x/{id}:\n    get: { parameters: [{ name: Cookie, in: header, required: true }] }`,
      'api.yaml:5:25 error /paths/~1x~1{id}/get/parameters/0: The header Cookie is required, and cannot be sent.',
    ],
    [
      'openapi: 3.0.0\npaths: { /x: { get: {} } }',
      'error /servers: The description names no address of the service. Name the address of the service with --server.',
    ],
    [
      'openapi: 3.0.0\nservers: [{ url: http://shop.example }]\npaths: { /x: { get: {} } }',
      'api.yaml:2:1 error /servers: The address http://shop.example is not https',
    ],
  ])('names the place of a fault, by line and JSON pointer: %j', async (text, expected) => {
    write('api.yaml', text)
    const { status, stderr } = await svc(
      'import',
      'openapi',
      'api.yaml',
      '--operation',
      text.includes('{id}') ? 'GET /x/{id}' : 'GET /x',
    )
    expect([status, stderr]).toEqual([1, expect.stringContaining(expected)])
    expect(existsSync(join(folder, 'svc.yaml'))).toBe(false)
  })

  it('reads what a server at an address serves, and documents beside it', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url!)
      const text =
        request.url === '/api/openapi.yaml'
          ? `openapi: 3.0.0\nservers: [{ url: /v1 }]\npaths: { /x: { $ref: 'x.yaml' } }`
          : 'get: { operationId: x, responses: {} }'
      response.end(text)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const given = ['import', 'openapi', `${base}/api/openapi.yaml`, '--operation', 'x', '--into', join(folder, 'desk')]
    const run = async (...args: readonly string[]) =>
      (await once(spawn(process.execPath, [BIN, ...given, ...args], { stdio: 'ignore' }), 'exit'))[0] as number
    expect(await run('--server', `${base}/v1`, '--name', 'shop')).toBe(0)
    expect(asked).toEqual(['/api/openapi.yaml', '/api/x.yaml'])
    server.close()
  })
})

/** What a person would decide. */
const decided = (fragment: string): string =>
  fragment
    .replaceAll(/^ +(?:cost|approval): TODO.*\n/gmu, '')
    .replaceAll(/side_effect: TODO # \w+ suggests (.*)/gu, 'side_effect: $1')
    .replaceAll(/minimum_scope: TODO # such as (.*)/gu, 'minimum_scope: $1')
