import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'

interface Browser {
  readonly program: string
  /** Folders of shared libraries that the program brings with it. */
  readonly libraries?: string
}

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]
const PACKED = join(import.meta.dirname, 'node_modules/@sparticuz/chromium/bin')
const UNPACKED = join(import.meta.dirname, 'node_modules/.cache/chromium')

/** The browser to test in: `CHROMIUM`, else the one of the system, else the one of the registry package. */
export async function installedBrowser(): Promise<Browser> {
  const installed = [process.env['CHROMIUM'] ?? '', ...INSTALLED].find((path) => path !== '' && existsSync(path))
  if (installed !== undefined) return { program: installed }
  if (!existsSync(join(PACKED, 'chromium.br')))
    throw new Error('There is no Chromium. Install one (`apt-get install chromium`), or name one in CHROMIUM.')
  if (!existsSync(UNPACKED)) await unpack()
  return { program: join(UNPACKED, 'chromium'), libraries: join(UNPACKED, 'lib') }
}

async function unpack(): Promise<void> {
  mkdirSync(join(UNPACKED, '..'), { recursive: true })
  const folder = mkdtempSync(`${UNPACKED}-`)
  await decompress(join(PACKED, 'chromium.br'), join(folder, 'chromium'))
  await decompress(join(PACKED, 'al2023.tar.br'), join(folder, 'libraries.tar'))
  spawnSync('tar', ['-xf', 'libraries.tar'], { cwd: folder, stdio: 'inherit' })
  renameSync(folder, UNPACKED)
}

const decompress = (from: string, to: string): Promise<void> =>
  pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, { mode: 0o755 }))

export const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
] // prettier-ignore

/** Opens a page in a headless browser with an empty profile; rejects when the browser ends by itself. */
export async function openPage(url: string): Promise<{ readonly ended: Promise<never>; close(): Promise<void> }> {
  const { program, libraries } = await installedBrowser()
  const profile = mkdtempSync(join(tmpdir(), 'svc-chromium-'))
  const env = libraries === undefined ? process.env : { ...process.env, LD_LIBRARY_PATH: libraries }
  const running = spawn(program, [...FLAGS, `--user-data-dir=${profile}`, url], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said: Buffer[] = []
  running.stderr.on('data', (data: Buffer) => said.push(data))
  const exit = once(running, 'exit')
  const ended = exit.then((code) => {
    throw new Error(
      `${program} ended with ${String(code)}; install another: \`apt-get install chromium\`.\n${Buffer.concat(said)}`,
    )
  })
  ended.catch(() => undefined)
  const close = async () => {
    running.kill()
    await exit
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  return { ended, close }
}
