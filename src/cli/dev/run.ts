import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { digest } from '../build/lock.js'
import { buildSettings } from '../config/build-settings.js'
import { say } from '../build/say.js'
import { watch } from '../build/watch.js'

/** Builds at each change and serves the last good build. */
export function dev(root: string): Promise<never> {
  const restart = server(root)
  return watch(root, restart)
}

/** A server that has run this long has started well. */
const STARTED_MS = 1000
/** Where the code of the last server that started well is kept. */
const LAST_GOOD = 'node_modules/.cache/svc-dev/server.mjs'

/** Starts the server, or starts it again when what it runs has changed. One that does not start gives way to the last that did. */
function server(root: string): () => Promise<void> {
  let child: ChildProcess | undefined
  let served: string | undefined
  const stop = (): void => void child?.kill('SIGTERM')
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stop()
      process.exit(0)
    })
  const start = (file: string, code: Uint8Array): void => {
    const started = spawn(process.execPath, ['--enable-source-maps', file], { cwd: root, stdio: 'inherit' })
    const keeping = setTimeout(() => void keep(root, code), STARTED_MS)
    started.once('exit', (status) => {
      clearTimeout(keeping)
      if (status === 0 || status === null || started !== child) return
      const lastGood = file === LAST_GOOD ? undefined : codeOfLastGood(root)
      say(
        `the server ended with ${status}; ${lastGood ? 'the last that started well serves' : 'it starts again at the next change'}`,
      )
      if (lastGood !== undefined) start(LAST_GOOD, lastGood)
    })
    child = started
  }
  rmSync(join(root, LAST_GOOD), { force: true })
  return async () => {
    const file = `${(await buildSettings(root)).folders.dist}/server.mjs`
    const code = await readFile(join(root, file))
    if (digest(code) === served && child?.exitCode === null) return
    await ended(child)
    served = digest(code)
    start(file, code)
  }
}

async function keep(root: string, code: Uint8Array): Promise<void> {
  await mkdir(dirname(join(root, LAST_GOOD)), { recursive: true })
  await writeFile(join(root, LAST_GOOD), code)
}

const codeOfLastGood = (root: string): Uint8Array | undefined =>
  existsSync(join(root, LAST_GOOD)) ? readFileSync(join(root, LAST_GOOD)) : undefined

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
}
