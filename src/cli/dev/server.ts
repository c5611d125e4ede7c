import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buildSettings } from '../config/build-settings.js'
import { leadsElsewhere } from '../shared/files/leads-elsewhere.js'
import { replaceFile } from '../shared/files/replace-file.js'
import { digest } from '../shared/locks/lock.js'
import { say } from '../shared/output/say.js'
import { readsHotKeys } from './hot-keys.js'

/** A server that has run this long after it was ready has started well. */
const STARTED_MS = 1000
/** A server that does not end by itself within this time is killed: one may have no end that is its own. */
const ENDS_WITHIN_MS = 15_000
/** Copy of the code of the last server that started successfully. */
const LAST_GOOD = 'node_modules/.cache/svc-dev/server.mjs'

interface AroundServer {
  /** Environment of the server at the moment it starts. */
  readonly environment: () => Promise<NodeJS.ProcessEnv>
  /** Called with the address where a server listens. */
  readonly listening: (url: string) => Promise<void>
}

interface DevServer {
  /** Starts the server, or starts it again when what it runs has changed, or when that is asked for. */
  restart(isAsked?: boolean): Promise<void>
  /** Ends the server, waits until it has closed what it holds, and starts none again. */
  stop(): Promise<void>
}

/** A server that does not start gives way to the last that did. */
export function devServer(root: string, { environment, listening }: AroundServer): DevServer {
  const running = new Set<ChildProcess>()
  let child: ChildProcess | undefined
  let [served, isStopped] = [undefined as string | undefined, false]
  let settings: NodeJS.ProcessEnv = {}
  const start = (file: string, code: Uint8Array): void => {
    if (isStopped) return
    const started = spawn(process.execPath, ['--enable-source-maps', file], {
      cwd: root,
      env: { ...process.env, ...settings },
      // A terminal has one reader: the hot keys.
      stdio: [readsHotKeys() ? 'ignore' : 'inherit', 'inherit', 'inherit', 'ipc'],
    })
    running.add(started)
    let keeping: NodeJS.Timeout | undefined
    started.on('message', (message) => {
      if (message === 'ready') keeping = setTimeout(() => void keep(root, code), STARTED_MS)
      if (isAddress(message)) listening(message.listening).catch((error: unknown) => say(`svc: ${String(error)}`))
    })
    started.once('exit', (status, signal) => {
      clearTimeout(keeping)
      running.delete(started)
      if (status === 0 || started !== child || isStopped) return
      const lastGood = file === LAST_GOOD ? undefined : codeOfLastGood(root)
      say(
        'the server ended ' +
          `with ${status ?? signal}; ${lastGood ? 'the last that started well serves' : 'it starts again at the next change'}`,
      )
      if (lastGood !== undefined) start(LAST_GOOD, lastGood)
    })
    child = started
  }
  forgetLastGood(root)
  return {
    stop: async () => {
      isStopped = true
      await Promise.all(Array.from(running, ended))
    },
    restart: async (isAsked = false) => {
      const file = `${(await buildSettings(root)).folders.dist}/server.mjs`
      const code = await readFile(join(root, file))
      settings = await environment()
      if (!isAsked && digest(code) === served && child !== undefined && runs(child)) return
      const last = child
      child = undefined
      await ended(last)
      served = digest(code)
      start(file, code)
    },
  }
}

const isAddress = (message: unknown): message is { readonly listening: string } =>
  typeof message === 'object' && message !== null && 'listening' in message && typeof message.listening === 'string'

/** Nothing is kept where a link leads elsewhere, nothing removed, and nothing run. */
const mayKeep = (root: string): boolean => !leadsElsewhere(root, dirname(LAST_GOOD))

async function keep(root: string, code: Uint8Array): Promise<void> {
  if (!mayKeep(root)) return
  await mkdir(dirname(join(root, LAST_GOOD)), { recursive: true })
  await replaceFile(join(root, LAST_GOOD), code)
}

function forgetLastGood(root: string): void {
  if (mayKeep(root)) rmSync(join(root, LAST_GOOD), { force: true })
}

const codeOfLastGood = (root: string): Uint8Array | undefined =>
  mayKeep(root) && existsSync(join(root, LAST_GOOD)) ? readFileSync(join(root, LAST_GOOD)) : undefined

const runs = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || !runs(child)) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const impatient = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS)
  await gone
  clearTimeout(impatient)
}
