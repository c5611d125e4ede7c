/** The image of `svc init --deploy docker`, built by the steps of its Dockerfile and run on a read-only root as its user. */
import { execFileSync, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { knowWithoutDev } from '../../examples/start.js'
import installRuntimes from '../runtimes/install.js'
import { freePort } from '../runtime/storage/postgres-server.js'
import { buildImage, ran, runImage, type Image, type Mounted } from './image.js'
import { startRegistry, type Registry } from './registry.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-image-'))
const shop = join(folder, 'shop')
let registry: Registry
let image: Image
let mounted: Mounted
let port = 0
let developer = ''
const started: ChildProcess[] = []

beforeAll(async () => {
  if (process.getuid?.() !== 0)
    throw new Error('Building the file system of an image needs root, for mount and chroot.')
  installRuntimes()
  registry = await startRegistry(folder)
  execFileSync(process.execPath, [resolve('bin/svc.cjs'), 'init', 'shop', '--yes', '--deploy', 'docker'], {
    cwd: folder,
    stdio: 'pipe',
  })
  const file = join(shop, 'package.json')
  const settings = JSON.parse(readFileSync(file, 'utf8')) as { readonly devDependencies: object }
  const devDependencies = { ...settings.devDependencies, 'svc-kit': registry.version }
  writeFileSync(file, JSON.stringify({ ...settings, devDependencies }))
  const env = {
    npm_config_registry: registry.url,
    npm_config_replace_registry_host: 'never',
    npm_config_cache: '/tmp/npm',
    HOME: '/tmp',
  }
  await ran('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], {
    cwd: shop,
    env: { ...process.env, ...env, npm_config_cache: join(folder, 'npm') },
  })
  image = await buildImage(shop, folder, env)

  knowWithoutDev(shop)
  const secrets = join(folder, 'secrets')
  cpSync(join(shop, 'keys'), join(secrets, 'keys'), { recursive: true })
  cpSync(join(shop, 'api-keys.json'), join(secrets, 'api-keys.json'))
  const volume = join(folder, 'volume')
  mkdirSync(volume)
  chmodSync(folder, 0o755)
  execFileSync('chown', [image.user, volume])
  developer = /^SVC_DEVELOPER_KEY=(.*)$/mu.exec(readFileSync(join(shop, '.env'), 'utf8'))![1]!
  port = await freePort()
  mounted = {
    readOnly: { '/run/shop/keys': join(secrets, 'keys'), '/run/shop/api-keys.json': join(secrets, 'api-keys.json') },
    volume,
    env: { SVC_DATABASE: '/var/lib/shop/shop.db', PORT: String(port), HOST: '127.0.0.1' },
  }
})

afterAll(() => {
  registry?.close()
  for (const child of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** What a command in the container says, and how it ends. */
async function inContainer(...command: readonly string[]): Promise<string> {
  const child = runImage(image, mounted, command)
  const [out, err, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')])
  return `${code} ${out}${err}`.trim()
}

const answers = (path: string, init?: RequestInit): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`, init)

it('holds what runs and its bill of materials, and no source, tool or secret', () => {
  const app = join(image.root, 'app')
  expect(readdirSync(app)).toEqual(['dist'])
  const { components } = JSON.parse(readFileSync(join(app, 'dist', 'sbom.cdx.json'), 'utf8')) as {
    readonly components: readonly { readonly name: string }[]
  }
  expect(components.map(({ name }) => name)).toContain('svc-kit')
  expect(spawnSync('grep', ['-rlE', `${developer}|BEGIN PRIVATE KEY|"d":"`, app], { encoding: 'utf8' })).toMatchObject({
    status: 1,
    stdout: '',
  })
})

it('runs as its user, who has no capability and can write the volume and /tmp, and nothing else', async () => {
  expect(await inContainer('sh', '-c', 'id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status')).toBe(
    '0 10001\nCapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1',
  )
  const tried =
    'for f in / /app /app/dist /run/shop /run/shop/keys /etc /usr /var/lib /var/lib/shop /tmp; do touch $f/x 2>/dev/null && echo $f; done; true'
  expect(await inContainer('sh', '-c', tried)).toBe('0 /var/lib/shop\n/tmp')
})

it('serves a governed call, is healthy by its own check, and ends by SIGTERM with code 0', async () => {
  const service = runImage(image, mounted)
  started.push(service)
  const log = text(service.stderr!)
  const ended = once(service, 'exit').then(async ([code]) => `ended with ${code}: ${await log}`)
  const isReady = () => answers('/-/ready').then(({ status }) => expect(status).toBe(200))
  const ready = vi.waitFor(isReady, { timeout: 20_000, interval: 100 }).then(() => 'ready')
  expect(await Promise.race([ended, ready])).toBe('ready')

  const headers = { authorization: `Bearer ${developer}`, 'content-type': 'application/json' }
  const issued = (await (
    await answers('/svc/tokens', { method: 'POST', headers, body: '{"scope":["shop.read"]}' })
  ).json()) as { readonly token: string }
  const called = await answers('/svc/invoke/get_status', {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${issued.token}` },
    body: '{"parameters":{}}',
  })
  expect(await called.json()).toMatchObject({ success: true })
  expect(await inContainer(...image.healthcheck)).toBe('0')

  service.kill('SIGTERM')
  const [code] = (await once(service, 'exit')) as [number | null]
  expect({ code, log: code === 0 ? '' : await log }).toEqual({ code: 0, log: '' })
  expect((await inContainer(...image.healthcheck)).startsWith('1')).toBe(true)
})
