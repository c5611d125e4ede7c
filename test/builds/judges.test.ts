/** The packages and documents of services, as the tools of others judge and use them: `npm test -- builds`. */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { emit } from '../../src/compiler/emit.js'
import type { Manifest } from '../../src/protocol/manifest.js'
import { pythonPackage } from '../../src/protocol/python-names.js'
import { EXAMPLES } from '../types/project.js'
import { randomOf } from '../values/random.js'
import { write, writePackages } from './packages.js'
import { randomManifest } from './random-manifest.js'

const COUNT = Number(process.env['JUDGED'] ?? 15)
const SEED = Number(process.env['SEED'] ?? 45)
const JUDGES = resolve('test/builds/judges')
const root = mkdtempSync(join(tmpdir(), 'svc-judged-'))
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }))

const manifestOf = (text: string): Manifest | undefined => check([{ file: 'svc.yaml', text }]).manifest
const filesOf = (manifest: Manifest) => emit(manifest, { generator: 'svc', version: '1.2.3' }).files

/** The examples, and random ones. */
const MANIFESTS: readonly Manifest[] = [
  ...EXAMPLES.flatMap((name) => manifestOf(readFileSync(`examples/${name}/svc.yaml`, 'utf8')) ?? []),
  ...Array.from({ length: 2 * COUNT }, (_, index) => SEED * 1_000_000 + index)
    .flatMap((seed) => manifestOf(JSON.stringify(randomManifest(randomOf(seed), seed))) ?? [])
    .slice(0, COUNT),
]

const folderOf = (name: string): string => {
  const folder = join(root, name)
  mkdirSync(folder)
  symlinkSync(join(JUDGES, 'node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  return folder
}

/** Packs a folder as npm does, and gives the file. */
const packed = (folder: string): string =>
  join(
    root,
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', root, folder], { encoding: 'utf8' }).trim(), // prettier-ignore
  )

/** What are-the-types-wrong and publint say of what was packed. It is for modules only, and \`exports\` is its list of entries. */
async function saidOf(file: string): Promise<readonly string[]> {
  const attw = (await import(pathToFileURL(join(JUDGES, 'node_modules/@arethetypeswrong/core/dist/index.js')).href)) as {
    createPackageFromTarballData(data: Uint8Array): unknown
    checkPackage(it: unknown): Promise<{
      readonly types: { readonly kind: string } | false
      readonly problems?: readonly { readonly kind: string; readonly entrypoint?: string; readonly resolutionKind?: string }[]
    }>
  } // prettier-ignore
  const { types, problems = [] } = await attw.checkPackage(
    attw.createPackageFromTarballData(new Uint8Array(readFileSync(file))),
  )
  const folder = mkdtempSync(join(root, 'unpacked-'))
  execFileSync('tar', ['-xzf', file, '-C', folder, '--strip-components=1'])
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true, pack: false })
  return [
    ...(types === false ? ['no types'] : []),
    ...problems
      .filter(({ resolutionKind }) => resolutionKind !== 'node10' && resolutionKind !== 'node16-cjs')
      .map((each) => JSON.stringify(each)),
    ...messages.map((message) => String(formatMessage(message, pkg, { color: false }))),
  ]
}

describe('are the types wrong, and publint', () => {
  it('say nothing of svc-kit', async () => {
    expect(await saidOf(packed(resolve('.')))).toEqual([])
  })

  it('say nothing of the client of any example', async () => {
    const said: string[] = []
    for (const name of EXAMPLES) {
      const manifest = manifestOf(readFileSync(`examples/${name}/svc.yaml`, 'utf8'))
      if (manifest === undefined) continue
      const folder = join(root, `client-${name}`)
      mkdirSync(join(folder, 'node_modules'), { recursive: true })
      symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
      await writePackages(folder, manifest, filesOf(manifest))
      said.push(...(await saidOf(packed(join(folder, 'dist/client')))).map((each) => `${name}: ${each}`))
    }
    expect(said).toEqual([])
  })
})

describe('the package for Python', () => {
  const BIN = join(JUDGES, 'node_modules/.venv/bin')

  it('is without a finding of mypy --strict', () => {
    const folder = join(root, 'mypy')
    for (const manifest of MANIFESTS) {
      const name = pythonPackage(manifest.service_identity.id)
      const files = filesOf(manifest).filter(({ path }) => path.startsWith(`dist/python/${name}/`))
      write(folder, files.map(({ path, text }) => ({ path: path.slice('dist/python/'.length), text }))) // prettier-ignore
      cpSync('templates/python', join(folder, name), { recursive: true })
    }
    const names = readdirSync(folder).flatMap((name) => ['-p', name])
    const words = ['--strict', '--python-version', '3.10', '--no-incremental', ...names]
    const { stdout } = spawnSync(join(BIN, 'mypy'), words, { cwd: folder, encoding: 'utf8' })
    expect(stdout).toMatch(/^Success: no issues found in \d+ source files\n$/u)
  })

  it('installs by pip, under the version of the service, and is typed where it is installed', async () => {
    const folder = join(root, 'pip')
    mkdirSync(join(folder, 'node_modules'), { recursive: true })
    symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
    const manifest = manifestOf(readFileSync('examples/orders/svc.yaml', 'utf8'))!
    await writePackages(folder, manifest, filesOf(manifest))
    const to = join(folder, 'installed')
    execFileSync(join(BIN, 'pip'), ['install', '--quiet', '--no-index', '--no-build-isolation', '--disable-pip-version-check', '--target', to, './dist/python'], { cwd: folder }) // prettier-ignore
    const code = `
from importlib.metadata import version
from orders_client import Client
client = Client("http://localhost:1", "none")
outcome = client.read_order({"order_id": "o1"})
if outcome.success:
    print(version("orders-client"), outcome.result["total"]["nonsense"])
`
    writeFileSync(join(folder, 'caller.py'), code)
    const { stdout } = spawnSync(join(BIN, 'mypy'), ['--strict', '--no-incremental', 'caller.py'], {
      cwd: folder,
      env: { ...process.env, MYPYPATH: to },
      encoding: 'utf8',
    })
    expect(stdout.split('\n').filter((line) => line.includes(': error:'))).toEqual([
      expect.stringContaining('TypedDict "Money" has no key "nonsense"'),
    ])
    expect(readdirSync(to)).toContain('orders_client-1.2.3.dist-info')
  })
})

const STRICT = { strict: true, target: 'es2023', noEmit: true, skipLibCheck: false, types: [] }
const LIBRARIES = ['es2023', 'dom', 'dom.iterable']

function complaintsOf(folder: string, options: object): readonly string[] {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...STRICT, lib: LIBRARIES, ...options }, include: ['*.ts', '*/**/*.ts'], exclude: ['node_modules'] })) // prettier-ignore
  const { stdout } = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' }) // prettier-ignore
  return stdout.split('\n').filter(Boolean)
}

const documentOf = (manifest: Manifest): string =>
  filesOf(manifest).find(({ path }) => path === 'dist/openapi.json')!.text

describe('the OpenAPI document', () => {
  it('becomes types that compile, by openapi-typescript', () => {
    const folder = folderOf('openapi-typescript')
    writeFileSync(
      join(folder, 'make.js'),
      `import openapiTS, { astToString } from 'openapi-typescript'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
for (const file of readdirSync('.').filter((name) => /^m\\d+\\.json$/u.test(name)))
  writeFileSync(file.replace('.json', '.ts'), astToString(await openapiTS(JSON.parse(readFileSync(file, 'utf8')))))
`,
    )
    MANIFESTS.forEach((manifest, index) => writeFileSync(join(folder, `m${index}.json`), documentOf(manifest)))
    execFileSync(process.execPath, ['make.js'], { cwd: folder })
    expect(readdirSync(folder).filter((name) => name.endsWith('.ts'))).toHaveLength(MANIFESTS.length)
    expect(complaintsOf(folder, { module: 'nodenext' })).toEqual([])
  })

  it('becomes a client that compiles, by openapi-ts', () => {
    const folder = folderOf('openapi-ts')
    writeFileSync(
      join(folder, 'make.js'),
      `import { createClient } from '@hey-api/openapi-ts'
import { readdirSync } from 'node:fs'
const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk']
for (const input of readdirSync('.').filter((name) => /^m\\d+\\.json$/u.test(name)))
  await createClient({ input, output: input.replace('.json', ''), plugins, logs: { level: 'silent' } })
`,
    )
    MANIFESTS.forEach((manifest, index) => writeFileSync(join(folder, `m${index}.json`), documentOf(manifest)))
    execFileSync(process.execPath, ['make.js'], { cwd: folder })
    expect(complaintsOf(folder, { module: 'esnext', moduleResolution: 'bundler' })).toEqual([])
  })

  it('becomes clients that call a service that runs', async () => {
    const folder = folderOf('calls')
    writeFileSync(join(folder, 'openapi.json'), documentOf(manifestOf(readFileSync('examples/orders/svc.yaml', 'utf8'))!)) // prettier-ignore
    writeFileSync(join(folder, 'make.js'), MAKE_BOTH)
    execFileSync(process.execPath, ['make.js'], { cwd: folder })
    writeFileSync(join(folder, 'call.ts'), CALL)
    expect(complaintsOf(folder, { module: 'nodenext', noEmit: false, outDir: 'out' })).toEqual([])
    const service = spawn(process.execPath, ['examples/start.js', 'orders'], { env: { ...process.env, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] }) // prettier-ignore
    onTestFinished(async () => {
      service.kill()
      await once(service, 'exit')
    })
    let said = ''
    for await (const text of service.stdout)
      if (/listens on[\s\S]+SVC_DEVELOPER_KEY=\S+/u.test((said += String(text)))) break
    const [address, key] = [/https?:\/\/\S+/u.exec(said)![0], /SVC_DEVELOPER_KEY=(\S+)/u.exec(said)![1]!]
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['out/call.js', address, key], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual([{ currency: 'EUR', amount: 9 }, 'invalid_token', { currency: 'EUR', amount: 9 }]) // prettier-ignore
  })
})

const MAKE_BOTH = `import { createClient } from '@hey-api/openapi-ts'
import openapiTS, { astToString } from 'openapi-typescript'
import { readFileSync, writeFileSync } from 'node:fs'
const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk']
const output = { path: 'client', importFileExtension: '.js' }
await createClient({ input: 'openapi.json', output, plugins, logs: { level: 'silent' } })
writeFileSync('paths.ts', astToString(await openapiTS(JSON.parse(readFileSync('openapi.json', 'utf8')))))
`

const CALL = `import createClient from 'openapi-fetch'
import { createClient as createOther } from './client/client/index.js'
import { priceOrder, svcTokens } from './client/sdk.gen.js'
import type { paths } from './paths.js'

declare const process: { readonly argv: readonly string[] }
const [, , baseUrl = '', key = ''] = process.argv
const parameters = { order: { lines: [{ sku: 'TEA-100', quantity: 2 }], ship_to: { street: 'Rua Nova 1', city: 'Lisboa' } } }
const user = createOther({ baseUrl, auth: key })
const issued = await svcTokens({ client: user, body: { scope: ['orders.read'], subject: 'agent:a' } })
const token = issued.data?.token ?? ''
const priced = await priceOrder({ client: createOther({ baseUrl, auth: token }), body: { parameters } })
const refused = await priceOrder({ client: createOther({ baseUrl, auth: 'none' }), body: { parameters } })
const other = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + token } })
const { data } = await other.POST('/svc/invoke/price_order', { body: { parameters } })
console.log(JSON.stringify([priced.data?.result?.total, refused.error?.failure?.type, data?.result?.total]))
`
