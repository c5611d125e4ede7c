import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { Unreachable, type McpChannel } from './channel.js'
import { lineChannel } from './lines.js'
import type { Environment, PinnedProcess } from './pinned.js'

/**
 * Starts the server of a package as a child, in a folder of its own, with PATH, HOME and the listed names as its
 * environment. What is installed must be what was pinned.
 */
export function childChannel(
  pinned: PinnedProcess,
  environment: Environment,
  onNotice: (method: string) => void,
  home = folderOf(pinned),
): McpChannel {
  const file = realpathSync(join(home, pinned.file))
  if (!file.startsWith(realpathSync(home) + sep))
    throw new Error(`${pinned.file} leaves the package ${pinned.package}.`)
  const folder = mkdtempSync(join(tmpdir(), 'svc-upstream-'))
  if (pinned.user !== undefined) chownSync(folder, pinned.user.uid, pinned.user.gid)
  const child = spawn(process.execPath, [file, ...pinned.args.map(argumentOfChild)], {
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
  child.once('error', stop)
  const release = (): void => {
    child.unref()
    for (const stream of [child.stdin, child.stdout] as unknown as readonly { unref?: () => void }[]) stream.unref?.()
  }
  return lineChannel({ input: child.stdin, output: child.stdout, close: stop, release }, onNotice)
}

/** What begins with `./` is a path of the service: the child runs elsewhere. */
const argumentOfChild = (text: string): string => (text.startsWith('./') ? resolve(text) : text)

const environmentOf = ({ env }: PinnedProcess, environment: Environment): NodeJS.ProcessEnv =>
  Object.fromEntries(
    ['PATH', 'HOME', ...env].flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  )

/** The installed package: looked for as Node does, and of the version and integrity that were accepted. */
function folderOf({ package: name, version, integrity }: PinnedProcess): string {
  for (let at = resolve('.'); ; at = dirname(at)) {
    const home = join(at, 'node_modules', name)
    if (existsSync(join(home, 'package.json'))) {
      const found = installedAt(home, name)
      if (found.version === version && found.integrity === integrity) return home
      throw new Unreachable(
        `${name} is installed in version ${found.version}; ${version} (${integrity}) was accepted.`,
        false,
      )
    }
    if (dirname(at) === at)
      throw new Unreachable(
        `${name} ${version} is not installed. Run: npm install --save-exact ${name}@${version}`,
        false,
      )
  }
}

/** What npm noted of an installed package. */
export function installedAt(
  home: string,
  name: string,
): { readonly version: string; readonly integrity: string | undefined } {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { readonly version: string }
  const lock = join(realpathSync(home), ...name.split('/').map(() => '..'), '.package-lock.json')
  if (!existsSync(lock)) return { version, integrity: undefined }
  const { packages = {} } = JSON.parse(readFileSync(lock, 'utf8')) as Lock
  return { version, integrity: packages[`node_modules/${name}`]?.integrity }
}

interface Lock {
  readonly packages?: { readonly [path: string]: { readonly integrity?: string } }
}
