import { spawn } from 'node:child_process'
import { chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import type { McpChannel } from './channel.js'
import { confinementOf, openable, pathOfChild, type ChildHome } from './confined.js'
import { folderOf } from './installed.js'
import { lineChannel } from './lines.js'
import type { Environment, PinnedProcess } from './pinned.js'

/**
 * Starts the server of a package as a child, in a folder of its own, with PATH, HOME and the listed names as its
 * environment. What is installed must be what was pinned, and Node keeps it from all files but those that it may open.
 */
export function childChannel(
  pinned: PinnedProcess,
  environment: Environment,
  onNotice: (method: string) => void,
  place: ChildHome = { home: folderOf(pinned), own: realpathSync('.') },
): McpChannel {
  const { home, own } = place
  const file = realpathSync(join(home, pinned.file))
  if (!file.startsWith(realpathSync(home) + sep))
    throw new Error(`${pinned.file} leaves the package ${pinned.package}.`)
  const confinement = confinementOf(pinned, place)
  const folder = mkdtempSync(join(tmpdir(), 'svc-upstream-'))
  if (pinned.user !== undefined) chownSync(folder, pinned.user.uid, pinned.user.gid)
  const args = [...confinement, ...openable(folder), file, ...pinned.args.map((text) => pathOfChild(text, own))]
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: environmentOf(pinned, environment),
    stdio: ['pipe', 'pipe', 'ignore'],
    ...pinned.user,
  })
  const forget = (): void => rmSync(folder, { recursive: true, force: true })
  const stop = (): void => void child.kill('SIGKILL')
  process.once('exit', stop)
  child.once('exit', () => {
    process.off('exit', stop)
    forget()
  })
  child.on('error', stop)
  const release = (): void => {
    child.unref()
    for (const stream of [child.stdin, child.stdout] as unknown as readonly { unref?: () => void }[]) stream.unref?.()
  }
  return lineChannel({ input: child.stdin, output: child.stdout, close: stop, release }, onNotice)
}

const environmentOf = ({ env }: PinnedProcess, environment: Environment): NodeJS.ProcessEnv =>
  Object.fromEntries(
    ['PATH', 'HOME', ...env].flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  )
