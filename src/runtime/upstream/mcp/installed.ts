import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Unreachable } from './channel.js'
import type { PinnedProcess } from './pinned.js'

const MOST_FILES = 20_000
const MOST_PACKAGE_BYTES = 256 * 1024 * 1024

/** What is installed of a package: its version, the integrity that npm verified, and its bytes as they are now. */
export interface Installed {
  readonly version: string
  readonly integrity: string | undefined
  readonly files: string
}

/** The folder of the package, looked for as Node does; its version, integrity and bytes are as they were accepted. */
export function folderOf(pinned: PinnedProcess): string {
  const { package: name, version, integrity, files } = pinned
  for (let at = resolve('.'); ; at = dirname(at)) {
    const home = join(at, 'node_modules', name)
    if (existsSync(join(home, 'package.json'))) {
      const found = installedAt(home, name)
      if (found.version !== version || found.integrity !== integrity)
        throw new Unreachable(
          `${name} is installed in version ${found.version}; ${version} (${integrity}) was accepted.`,
          false,
        )
      if (found.files === files) return home
      throw new Unreachable(
        `The files of ${name} ${version} are not those that were accepted. Install it anew: npm ci --ignore-scripts`,
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

/** What npm noted of an installed package, and what is on the disk. */
export function installedAt(home: string, name: string): Installed {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { readonly version: string }
  const lock = join(realpathSync(home), ...name.split('/').map(() => '..'), '.package-lock.json')
  const { packages = {} } = existsSync(lock) ? (JSON.parse(readFileSync(lock, 'utf8')) as Lock) : {}
  return { version, integrity: packages[`node_modules/${name}`]?.integrity, files: digestOfFiles(realpathSync(home)) }
}

interface Lock {
  readonly packages?: { readonly [path: string]: { readonly integrity?: string } }
}

/** The digest of all files of a package, without those of the packages that it depends on. */
function digestOfFiles(home: string): string {
  const hash = createHash('sha256')
  let count = 0
  let bytes = 0
  const add = (folder: string, prefix: string): void => {
    for (const name of readdirSync(folder).toSorted()) {
      const path = join(folder, name)
      const { size, isFolder } = kindOf(path)
      if (isFolder && prefix === '' && name === 'node_modules') continue
      if (isFolder) add(path, `${prefix}${name}/`)
      else {
        if (++count > MOST_FILES || (bytes += size) > MOST_PACKAGE_BYTES)
          throw new Error(`The package in ${home} is too large.`)
        hash.update(`${createHash('sha256').update(readFileSync(path)).digest('hex')}  ${prefix}${name}\n`)
      }
    }
  }
  add(home, '')
  return `sha256:${hash.digest('base64url')}`
}

/** A package of a registry holds files and folders: a link was put there by somebody else. */
function kindOf(path: string): { readonly size: number; readonly isFolder: boolean } {
  const found = lstatSync(path)
  if (!found.isFile() && !found.isDirectory()) throw new Error(`${path} is neither a file nor a folder.`)
  return { size: found.size, isFolder: found.isDirectory() }
}
