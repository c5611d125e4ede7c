/**
 * Runs `svc` in this process as one of its own would: with its folder, environment, input and outputs, several at a time. What
 * belongs to a process (signals, terminals, how it ends, the bundle that users run) is for tests that start one.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Readable, Writable } from 'node:stream'
import { run } from '../../src/cli/main.js'

export interface Ran {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

export interface Place {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly input?: string
}

/** What a command takes for `process`; what it writes by number of the stream goes to the same texts. */
interface Running {
  readonly process: NodeJS.Process
  readonly streams: ReadonlyMap<number, Output>
}

interface Output {
  readonly stream: Writable
  readonly text: () => string
}

const running = new AsyncLocalStorage<Running>()
const own = process
Object.defineProperty(globalThis, 'process', {
  configurable: true,
  get: () => running.getStore()?.process ?? own,
})

/** Output that is written by the number of its stream (`print.ts`). */
const writeSync = fs.writeSync as (...given: readonly unknown[]) => number
const written = (...given: readonly unknown[]): number => {
  const [file, bytes, from = 0] = given as [number, Uint8Array, number?]
  const output = running.getStore()?.streams.get(file)
  if (output === undefined) return writeSync(...given)
  output.stream.write(bytes.subarray(from))
  return bytes.length - from
}
Object.assign(fs, { writeSync: written })
syncBuiltinESMExports()

function output(): Output {
  const chunks: Buffer[] = []
  const stream = new Writable({
    decodeStrings: true,
    write: (chunk: Buffer, _, done) => (chunks.push(Buffer.from(chunk)), done()),
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

export async function svc(
  args: readonly string[],
  { cwd = own.cwd(), env = own.env, input = '' }: Place = {},
): Promise<Ran> {
  const [out, err] = [output(), output()]
  const members = {
    env: { ...env },
    exitCode: undefined,
    stdin: Readable.from([Buffer.from(input)]),
    stdout: out.stream,
    stderr: err.stream,
  }
  const process = Object.create(own, Object.getOwnPropertyDescriptors(members)) as NodeJS.Process
  const leave = enter(cwd)
  try {
    const status = await running.run(
      {
        process,
        streams: new Map([
          [1, out],
          [2, err],
        ]),
      },
      () => run(['node', 'svc', ...args]),
    )
    return { status, stdout: out.text(), stderr: err.text() }
  } finally {
    leave()
  }
}

let inside = 0
let outside: { readonly folder: string; readonly connections: unknown } | undefined

/** Where `fetch` keeps its connections, once it has been used. */
const CONNECTIONS = Symbol.for('undici.globalDispatcher.1')
const global = globalThis as { [CONNECTIONS]?: { readonly constructor: new (options: object) => never } }
await fetch('data:,')

/**
 * The folder is the one of the whole process: commands that run at once have the same. A command goes on with no connection of an earlier
 * one, which the service may be about to end.
 */
function enter(cwd: string): () => void {
  if (inside > 0 && own.cwd() !== fs.realpathSync(cwd))
    throw new Error(`Another command runs in ${own.cwd()}, not in ${cwd}.`)
  if (inside++ === 0) {
    outside = { folder: own.cwd(), connections: global[CONNECTIONS] }
    global[CONNECTIONS] = new global[CONNECTIONS]!.constructor({ pipelining: 0 })
    own.chdir(cwd)
  }
  return leave
}

function leave(): void {
  if (--inside > 0) return
  own.chdir(outside!.folder)
  Object.assign(global, { [CONNECTIONS]: outside!.connections })
}
