/** Processes of this machine: the only ones that a service starts. */
import { spawn, spawnSync, type SpawnSyncOptions } from 'node:child_process'
import type { Duplex, Readable, Writable } from 'node:stream'
import type { McpChannel } from './channel.js'
import { lineChannel } from './lines.js'
import type { Environment } from './pinned.js'

const WITHIN_MS = 10_000
/** Characters of the errors of a server that are kept: the last ones. */
const MOST_SAID = 4_000
/** ms between two readings of its errors: one that writes without end waits, and the service works on. */
const ERRORS_EVERY_MS = 20

/** Returns whether a program runs here and ends well; nobody reads what it prints. */
export function endsWell([program = '', ...args]: readonly string[], options: SpawnSyncOptions = {}): boolean {
  return spawnSync(program, args, { ...options, stdio: 'ignore', timeout: WITHIN_MS }).status === 0
}

export interface ProcessSettings {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly uid?: number
  readonly gid?: number
  /** Serves a further socket that the child inherits. */
  readonly serve?: (socket: Duplex) => void
}

/** Starts a server in a session of its own, so that no signal to its group reaches the service. */
export function startedChannel(
  [program = '', ...args]: readonly string[],
  { serve, ...settings }: ProcessSettings,
  onNotice: (method: string) => void,
  forget: () => void,
): McpChannel {
  const further = serve === undefined ? [] : (['pipe'] as const)
  const child = spawn(program, args, { ...settings, detached: true, stdio: ['pipe', 'pipe', 'pipe', ...further] })
  const [input, output, errors, socket] = child.stdio as unknown as readonly [Writable, Readable, Readable, Duplex?]
  let said = ''
  errors.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MOST_SAID)
    if (child.exitCode !== null || child.signalCode !== null) return
    errors.pause()
    setTimeout(() => errors.resume(), ERRORS_EVERY_MS).unref()
  })
  errors.on('error', () => undefined)
  if (socket !== undefined) serve?.(socket)
  const stop = (): void => void child.kill('SIGKILL')
  process.once('exit', stop)
  child.once('exit', () => {
    errors.resume()
    process.off('exit', stop)
    forget()
  })
  child.on('error', stop)
  const release = (): void => {
    child.unref()
    for (const stream of [input, output, errors, socket] as readonly ({ unref?: () => void } | undefined)[])
      stream?.unref?.()
  }
  return { ...lineChannel({ input, output, close: stop, release }, onNotice), said: () => said }
}

/** Runs a program that nobody waits for. */
export const runAside = ([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): void =>
  spawn(program, args, { env, detached: true, stdio: 'ignore' })
    .on('error', () => undefined)
    .unref()

/** Returns the variables of the environment that a child gets. */
export const environmentOf = (names: readonly string[], environment: Environment): NodeJS.ProcessEnv =>
  Object.fromEntries(
    ['PATH', 'HOME', ...names].flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  )
