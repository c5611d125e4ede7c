/** What may be chosen of what exists already, where it may come from, and each refusal in its words. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chosenTools, costOfWrites, type McpImportOptions } from '../../src/cli/import/choose-tools.js'
import { fetchedText } from '../../src/cli/import/fetch-text.js'
import { foundServer } from '../../src/cli/import/find-server.js'
import { importMcp } from '../../src/cli/import/mcp.js'
import { timeLimitsIn } from '../../src/cli/import/tool-time-limits.js'
import { importOpenApi } from '../../src/cli/import/openapi.js'
import type { UpstreamTool } from '../../src/runtime/upstream/index.js'

const home = process.cwd()
let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-choices-')))
  process.chdir(folder)
  vi.stubEnv('CI', '1')
})
afterEach(() => {
  process.chdir(home)
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})
const write = (name: string, text: string): void => {
  mkdirSync(dirname(name), { recursive: true })
  writeFileSync(name, text)
}
/** How work ended: with an exit code, or with a message. */
async function ended(work: () => unknown): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    return (error as Error).message
  }
}

const operation = (id: string, tags = ''): string =>
  `{ operationId: ${id}, tags: [${tags}], responses: { 204: { description: done } } }`
const SHOP = `openapi: 3.0.3
info: { title: Shop, version: "1" }
servers: [{ url: https://shop.example }]
paths:
  /orders: { get: ${operation('listOrders', 'orders')}, post: ${operation('createOrder', 'orders, writes')} }
  /orders/all: { get: ${operation('listOrders', 'orders')} }
  /parcels: { get: ${operation('list_parcels', 'parcels')} }
` // prettier-ignore
const CHOSEN = { operation: [], tag: [], all: false, rename: [], list: false, into: 'desk' }
const imported = (more: object, source = 'shop.yaml') => ended(() => importOpenApi(source, { ...CHOSEN, ...more }))
const capabilities = (): readonly string[] =>
  [...readFileSync('desk/capabilities/shop.yaml', 'utf8').matchAll(/^ {2}(\w+):$/gmu)].map(([, name]) => name!)

describe('operations of an API', () => {
  beforeEach(() => write('shop.yaml', SHOP))

  it.each([
    [{}, 'Nothing is imported unless it is chosen: --operation <id>, --tag <tag>, --all, or look with --list.'],
    [{ operation: ['createOrder'], rename: ['createOrder'] }, '--rename "createOrder" must be <operation>=<name>, where the name is a small letter, then at most 63 small letters, digits and _, such as --rename listOrders=list_orders.'],
    [{ operation: ['createOrder'], rename: ['createOrder=Order'] }, '--rename "createOrder=Order" must be <operation>=<name>, where the name is a small letter, then at most 63 small letters, digits and _, such as --rename listOrders=list_orders.'],
    [{ operation: ['createOrder'], rename: ['newOrder=order'] }, 'There is no operation "newOrder". See them with --list.'],
    [{ operation: ['createOrders'] }, 'There is no operation "createOrders". Did you mean createOrder? See them with --list.'],
    [{ operation: ['nothing-like-it'] }, 'There is no operation "nothing-like-it". See them with --list.'],
    [{ operation: ['listOrders'] }, '2 operations are named "listOrders". Choose one by its method and path: --operation "GET /orders" or --operation "GET /orders/all".'],
    [{ tag: ['order'] }, 'No operation has the tag "order"; there are orders, writes, parcels.'],
    [{ tag: ['orders', 'none'] }, 'No operation has the tag "none"; there are orders, writes, parcels.'],
    [{ list: true, tag: ['none'] }, 'No operation has the tag "none"; there are orders, writes, parcels.'],
    [{ operation: ['createOrder'], name: 'Shop' }, '--name "Shop" must be lower-case letters, digits and _, such as source_host.'],
    [{ operation: ['createOrder'], name: '9shop' }, '--name "9shop" must be lower-case letters, digits and _, such as source_host.'],
    [{ operation: ['createOrder'], name: `a${'b'.repeat(40)}` }, `--name "a${'b'.repeat(40)}" must be lower-case letters, digits and _, such as source_host.`],
  ])('%j', async (more, message) => {
    expect(await imported(more)).toBe(message)
    expect(existsSync('desk')).toBe(false)
  }) // prettier-ignore

  it.each([
    [{ operation: ['createOrder'] }, ['create_order']],
    [{ operation: ['create_order'] }, ['create_order']],
    [{ operation: ['POST /orders'] }, ['create_order']],
    [{ operation: ['GET /orders'] }, ['list_orders']],
    [{ tag: ['writes'] }, ['create_order']],
    [{ tag: ['parcels', 'writes'] }, ['create_order', 'list_parcels']],
    [{ tag: ['writes'], operation: ['list_parcels', 'createOrder'] }, ['create_order', 'list_parcels']],
    [{ operation: ['createOrder'], rename: ['createOrder=order_goods'] }, ['order_goods']],
    [
      { all: true, rename: ['GET /orders/all=every_order'] },
      ['list_orders', 'create_order', 'every_order', 'list_parcels'],
    ],
    [{ all: true }, ['list_orders', 'create_order', 'list_parcels']],
    [{ tag: ['orders'] }, ['list_orders', 'create_order']],
  ])('%j', async (more, names) => {
    expect(await imported(more)).toBe(0)
    expect(capabilities()).toEqual(names)
  })

  it.each(['loose', 'strict'])('writes how answers are judged: %s', async (answers) => {
    expect(await imported({ operation: ['createOrder'], answers })).toBe(0)
    expect(readFileSync('desk/capabilities/shop.yaml', 'utf8')).toContain(`    x-upstream: { answers: ${answers} }\n`)
  })

  it('takes a name of 40 letters, and another address', async () => {
    const name = `a${'b'.repeat(39)}`
    expect(await imported({ operation: ['createOrder'], name, server: 'https://other.example/v2' })).toBe(0)
    expect(existsSync(`desk/capabilities/${name}.yaml`)).toBe(true)
    expect(readFileSync('desk/.env', 'utf8')).toMatch(
      /\n# The credential of https:\/\/other\.example\/v2: it goes there and nowhere else\.\nA(?:B){39}_CREDENTIAL=\n$/u,
    )
  })

  it('keeps what is there: a package, a .gitignore and a service, whose handlers get a line', async () => {
    const own = { name: 'mine', type: 'commonjs', scripts: { build: 'mine', own: 'own' }, dependencies: { 'svc-kit': '0.0.1' }, devDependencies: { typescript: '1' } } // prettier-ignore
    write('desk/package.json', JSON.stringify(own))
    write('desk/.gitignore', 'mine\n')
    expect(await imported({ operation: ['createOrder'] })).toBe(0)
    const merged = JSON.parse(readFileSync('desk/package.json', 'utf8')) as typeof own
    expect(merged).toMatchObject({ name: 'mine', type: 'module', dependencies: { 'svc-kit': '0.0.1' }, devDependencies: { typescript: '1' } }) // prettier-ignore
    expect(merged.scripts.own).toBe('own')
    expect(merged.scripts.build).not.toBe('mine')
    expect(readFileSync('desk/.gitignore', 'utf8')).toBe('mine\n')
    expect(await imported({ operation: ['createOrder'] })).toContain('capabilities/shop.yaml')
    expect(await imported({ operation: ['GET /orders'], name: 'more' })).toBe(0)
    expect(existsSync('desk/capabilities/more.yaml')).toBe(true)
    expect(readFileSync('desk/src/handlers/index.ts', 'utf8')).toContain('list_orders')
  })

  it('writes nothing where something stands in the way', async () => {
    write('desk/main.ts', 'mine')
    expect(await imported({ operation: ['createOrder'] })).toContain('These are in')
    expect(existsSync('desk/svc.yaml')).toBe(false)
    rmSync('desk/main.ts')
    mkdirSync('desk/keys')
    expect(await imported({ operation: ['createOrder'] })).toContain(': keys. Nothing was written.')
    rmSync('desk/keys', { recursive: true })
    write('desk/package.json', '{')
    expect(await imported({ operation: ['createOrder'] })).toBe(`${join(folder, 'desk/package.json')} is not JSON. Fix it, or import into another folder with --into.`) // prettier-ignore
    expect(existsSync('desk/svc.yaml')).toBe(false)
  })
})

describe('where a description is read', () => {
  const ANY = { operation: ['a'] }

  it('a file that is missing, shut, too large, or a link elsewhere', async () => {
    expect(await imported(ANY, 'none.yaml')).toBe('none.yaml cannot be read (ENOENT).')
    write('api/api.yaml', `openapi: 3.0.0\nservers: [{ url: https://a.example }]\npaths: { /a: { $ref: b.yaml } }\n`)
    expect(await imported(ANY, 'api/api.yaml')).toBe('api/b.yaml cannot be read (ENOENT).')
    write('elsewhere.yaml', '{}')
    symlinkSync(join(folder, 'elsewhere.yaml'), 'api/b.yaml')
    expect(await imported(ANY, 'api/api.yaml')).toBe('b.yaml is a link that leaves the folder of the description.')
    symlinkSync(join(folder, 'api/api.yaml'), 'link.yaml')
    rmSync('api/b.yaml')
    write('api/b.yaml', `get: ${operation('a')}\n`)
    expect(await imported({ operation: ['b'] }, 'api/api.yaml')).toContain('There is no operation "b". Did you mean a?') // prettier-ignore
    write('large.yaml', ' '.repeat(64 * 1024 * 1024 + 1))
    expect(await imported(ANY, 'large.yaml')).toMatch(/^large\.yaml has 67108865 bytes; at most \d+ characters are read\.$/u) // prettier-ignore
  })

  it('2,000 documents, and no more', async () => {
    const paths = (count: number): string => Array.from({ length: count }, (_, n) => `  /p${n}: { $ref: p${n}.yaml }\n`).join('') // prettier-ignore
    for (let n = 0; n < 2_001; n++) write(`p${n}.yaml`, `get: ${operation(`read${n}`)}\n`)
    const HEAD = 'openapi: 3.0.0\ninfo: { title: Shop, version: "1" }\nservers: [{ url: https://a.example }]\npaths:\n'
    write('api.yaml', HEAD + paths(1_999))
    expect(await imported({ operation: ['read1998'] }, 'api.yaml')).toBe(0)
    write('api.yaml', HEAD + paths(2_000))
    expect(await imported({ operation: ['read1998'] }, 'api.yaml')).toBe('The description refers to more than 2000 documents.') // prettier-ignore
  })

  let server: Server
  let origin: string
  beforeEach(async () => {
    server = createServer(({ url = '' }, response) => {
      const [, status = '200'] = url.split('/')
      if (status === 'cut') return void response.writeHead(200, { 'content-length': '5' }).write('a', () => response.destroy()) // prettier-ignore
      response.writeHead(Number(status), { location: '/200' }).end(`text of ${url}`)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  it('an address over https or of this machine, whose answer is a document', async () => {
    expect(await fetchedText(`${origin}/200/a`)).toBe('text of /200/a')
    const of = async (address: string): Promise<string> =>
      String(await ended(() => fetchedText(address))).replaceAll(origin, '<origin>')
    expect(await of(`${origin}/404`)).toBe('<origin>/404 answered 404, not with a document.')
    expect(await of(`${origin}/302`)).toBe('<origin>/302 answered 302, not with a document.')
    expect(await of(`${origin}/cut`)).toMatch(/^<origin>\/cut cannot be read \(.+\)\.$/u)
    expect(await of('https:// no')).toBe('https:// no is not an address such as https://shop.example/openapi.json.')
    expect(await of('https://a:b@shop.example/')).toBe('The address holds a credential; save the document, and import the file.') // prettier-ignore
    expect(await of('https://a@shop.example/')).toBe('The address holds a credential; save the document, and import the file.') // prettier-ignore
    for (const host of ['shop.example', '127.0.0.1.shop.example', 'localhost.shop.example', '10.0.0.1', '[::2]'])
      expect(await of(`http://${host}/a`)).toBe(`http://${host}/a is read over https only: anybody on the way could answer in its place.`) // prettier-ignore
    for (const host of ['localhost', '127.9.9.9', '[::1]'])
      expect(await of(`http://${host}:1/a`)).toMatch(/ cannot be read \(.+\)\.$/u)
  })
})

const TOOLS = ['read_note', 'write_note', 'drop-note'].map((name) => ({ name, title: name, description: name, inputSchema: {}, readOnly: name === 'read_note' })) as unknown as readonly UpstreamTool[] // prettier-ignore
const MCP: McpImportOptions = { tool: [], all: false, timeLimit: [], env: [], path: [], allow: [], confinement: 'namespaces', network: 'none', list: false, update: false, yes: false, into: 'desk' } // prettier-ignore
const shown = async (more: Partial<McpImportOptions>): Promise<unknown> =>
  ended(async () => (await chosenTools(TOOLS, { ...MCP, ...more })).map(({ tool: { name }, effect }) => `${name} ${effect}`)) // prettier-ignore

describe('tools of an MCP server', () => {
  it.each([
    [['60', 'read_note=600'], { all: 60_000, tools: { read_note: 600_000 } }],
    [[], { tools: {} }],
    [['0'], '--time-limit "0" must be seconds up to 3600, such as 60, or render=600 for one tool.'],
    [['soon'], '--time-limit "soon" must be seconds up to 3600, such as 60, or render=600 for one tool.'],
    [['note=5'], '--time-limit names the tool "note", which is not imported.'],
  ])('may take the time of --time-limit %j: %j', async (texts, limits) => {
    const chosen = [{ tool: TOOLS[0]!, effect: 'read' as const }]
    expect(await ended(async () => timeLimitsIn(texts, chosen))).toEqual(limits)
  })

  it.each([
    [{ all: true }, ['read_note undefined', 'write_note undefined', 'drop-note undefined']],
    [{ all: true, write: 'none' }, ['read_note read', 'write_note read', 'drop-note read']],
    [{ all: true, write: 'write_note, drop-note' }, ['read_note read', 'write_note write', 'drop-note write']],
    [{ tool: ['drop-note', 'read_note'], write: 'drop-note' }, ['drop-note write', 'read_note read']],
    [{}, 'Nothing is imported unless it is chosen: --tool <name>, --all, or look with --list.'],
    [{ tool: ['note'] }, 'There is no tool "note"; there are read_note, write_note, drop-note.'],
    [{ tool: ['read_note'], write: 'write_note' }, 'There is no tool "write_note"; there are read_note.'],
    [{ all: true, write: 'none,read_note' }, 'There is no tool "none"; there are read_note, write_note, drop-note.'],
    [{ all: true, write: '' }, 'There is no tool ""; there are read_note, write_note, drop-note.'],
  ])('%j', async (more, wanted) => {
    expect(await shown(more)).toEqual(wanted)
  })

  it.each([
    ['1 EUR', { amount: 1, currency: 'EUR' }],
    ['0.5EUR', { amount: 0.5, currency: 'EUR' }],
    [' 12.25 USD ', { amount: 12.25, currency: 'USD' }],
    ['', undefined],
    [undefined, undefined],
    ['0 EUR', '--cost "0 EUR" must be an amount and a currency, such as "1 EUR".'],
    ['-1 EUR', '--cost "-1 EUR" must be an amount and a currency, such as "1 EUR".'],
    ['1', '--cost "1" must be an amount and a currency, such as "1 EUR".'],
    ['1 eur', '--cost "1 eur" must be an amount and a currency, such as "1 EUR".'],
    ['1 XYZ', '--cost "1 XYZ" must be an amount and a currency, such as "1 EUR".'],
    ['1,5 EUR', '--cost "1,5 EUR" must be an amount and a currency, such as "1 EUR".'],
    ['EUR 1', '--cost "EUR 1" must be an amount and a currency, such as "1 EUR".'],
  ])('--cost %j', async (cost, wanted) => {
    const options = cost === undefined ? MCP : { ...MCP, cost }
    expect(await ended(() => costOfWrites(options, []))).toEqual(wanted)
  })

  it.each([
    ['@scope/server-filesystem', 'filesystem'],
    ['@scope/mcp-server', 'scope'],
    ['@scope/mcp', 'scope'],
    ['mcp-server-git', 'git'],
    ['mcp-notes', 'notes'],
    ['notes-mcp', 'notes'],
    ['notes-mcp-server', 'notes'],
    ['notes-server', 'notes'],
    ['Notes.Of-Ana', 'notes_of_ana'],
    ['9notes', 'upstream'],
    [`${'a'.repeat(50)}`, 'a'.repeat(40)],
  ])('the package %s is called %s', async (name, wanted) => {
    await installed(name)
    const { name: called, server } = foundServer([`node_modules/${name}/bin.js`, '--flag', 'none'], { ...MCP, env: ['A'], allow: ['worker'] }, undefined) // prettier-ignore
    expect(called).toBe(wanted)
    expect(server).toMatchObject({ package: name, version: '1.2.3', integrity: `sha512-${name}`, file: 'bin.js', args: ['--flag', 'none'], env: ['A'], paths: [], allow: ['worker'] }) // prettier-ignore
    expect(foundServer([`node_modules/${name}/bin.js`], MCP, 'mine').name).toBe('mine')
  })

  it.each([
    ['https://notes.example/mcp', 'notes'],
    ['https://mcp.notes.example/mcp', 'notes'],
    ['https://localhost/mcp', 'upstream'],
    ['http://127.0.0.1:9/mcp', 'upstream'],
    ['HTTPS://notes.example', 'notes'],
  ])('the server at %s is called %s', (address, name) => {
    expect(foundServer([address], MCP, undefined)).toEqual({
      name,
      server: { url: new URL(address).href, credential: `${name.toUpperCase()}_CREDENTIAL` },
      place: undefined,
    })
    expect(foundServer([address], MCP, 'mine').server).toMatchObject({ credential: 'MINE_CREDENTIAL' })
  })

  async function installed(name: string, integrity: string | undefined = `sha512-${name}`): Promise<void> {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.2.3' }))
    write(`node_modules/${name}/bin.js`, '')
    write('node_modules/.package-lock.json', JSON.stringify({ packages: { [`node_modules/${name}`]: { ...(integrity && { integrity }) } } })) // prettier-ignore
  }

  it('is found by its command, here and above, and then in PATH', async () => {
    await installed('notes')
    mkdirSync('node_modules/.bin')
    symlinkSync('../notes/bin.js', 'node_modules/.bin/notes')
    mkdirSync('deep/er', { recursive: true })
    process.chdir('deep/er')
    expect(foundServer(['notes'], MCP, undefined).place?.home).toBe(join(folder, 'node_modules/notes'))
    process.chdir(tmpdir())
    vi.stubEnv('PATH', `/nowhere:${join(folder, 'node_modules/.bin')}`)
    expect(foundServer(['notes'], MCP, undefined).server).toMatchObject({ package: 'notes' })
  })

  it('gets paths as it finds them: below the service from there, others whole', async () => {
    await installed('notes')
    write('desk/data/a', '')
    write('docs/a', '')
    const { server } = foundServer(['node_modules/notes/bin.js', 'docs', '-x', 'desk/data', 'docs'], { ...MCP, path: ['docs/a', 'none'] }, undefined) // prettier-ignore
    expect(server).toMatchObject({
      args: [join(folder, 'docs'), '-x', './data', join(folder, 'docs')],
      paths: [join(folder, 'docs'), './data', join(folder, 'docs/a'), 'none'],
    })
  })

  it.each([
    [['none'], {}, 'There is no command none. Install its package at an exact version: npm install --save-exact <package>@<version>'],
    [['./none.js'], {}, 'There is no command ./none.js. Install its package at an exact version: npm install --save-exact <package>@<version>'],
    [['./own.js'], {}, './own.js is no command of an npm package. A server is pinned by package, version and integrity; another one can be reached by its address.'],
    [['node_modules/notes/run.sh'], {}, 'node_modules/notes/run.sh is no command of an npm package. A server is pinned by package, version and integrity; another one can be reached by its address.'],
    [['node_modules/notes/bin.js', '.'], {}, '<folder> holds the service with its keys. Give the server another folder, or make the service elsewhere with --into.'],
    [['node_modules/notes/bin.js', 'desk'], {}, '<folder>/desk holds the service with its keys. Give the server another folder, or make the service elsewhere with --into.'],
    [['node_modules/notes/bin.js'], { path: ['desk'] }, '<folder>/desk holds the service with its keys. Give the server another folder, or make the service elsewhere with --into.'],
    [['node_modules/notes/bin.js'], { allow: ['net'] }, '--allow "net" must be one of child-process, worker, addons.'],
    [['node_modules/notes/bin.js'], { allow: ['toString'] }, '--allow "toString" must be one of child-process, worker, addons.'],
    [['https://a.example', 'more'], {}, 'https://a.example must be the one address of an MCP server.'],
    [['https://'], {}, 'https:// must be the one address of an MCP server.'],
  ])('%j with %j', async (command, more, message) => {
    await installed('notes')
    write('own.js', '')
    write('node_modules/notes/run.sh', '')
    mkdirSync('desk')
    const said = await ended(() => foundServer(command, { ...MCP, ...more }, undefined))
    expect(String(said).replace(folder, '<folder>')).toBe(message)
  }) // prettier-ignore

  it('has an integrity that npm noted', async () => {
    await installed('notes', '')
    expect(await ended(() => foundServer(['node_modules/notes/bin.js'], MCP, undefined))).toBe(
      'notes 1.2.3 has no integrity in the lock file of npm. Install it from a registry: npm install --save-exact notes@1.2.3',
    )
  })

  it('is named, and was imported before it is updated', async () => {
    expect(await ended(() => importMcp([], MCP))).toBe('Name the server: svc import mcp -- mcp-server-filesystem ~/docs, or an address.') // prettier-ignore
    mkdirSync('desk/src', { recursive: true })
    const update = { ...MCP, update: true }
    expect(await ended(() => importMcp([], update))).toBe(`There is no *.pinned.ts in ${folder}/desk/src: no MCP server was imported.`) // prettier-ignore
    write('desk/src/notes.pinned.ts', 'export const notes = {}\n')
    expect(await ended(() => importMcp([], update))).toBe('desk/src/notes.pinned.ts is not as svc import mcp writes it. Import the server again.') // prettier-ignore
  })
})
