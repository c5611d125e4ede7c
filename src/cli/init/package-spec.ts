import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { ScaffoldFile } from './template-files.js'
import { VENDOR } from './template-values.js'
import { packageRoot, packageVersion } from '../shared/files/package-root.js'

/** Dependency of a new project on svc-kit. */
export interface Dependency {
  /** Its value in `package.json`. */
  readonly spec: string
  /** The package itself, where the value names it: whoever has the project can install it. */
  readonly vendored?: ScaffoldFile
}

/**
 * Dependency on svc-kit as the running package was installed: a tarball comes with the project, in `vendor/`; else the
 * checkout, or the version.
 */
export function dependencyFor(project: string): Dependency {
  const root = packageRoot()
  const tarball = tarballOf(root)
  if (tarball !== undefined) return vendored(project, tarball)
  return { spec: isInstalled(root) ? packageVersion() : fileSpec(project, realpathSync(root)) }
}

/** A tarball that lies in the project is there already. */
function vendored(project: string, tarball: string): Dependency {
  const own = fileSpec(project, tarball)
  if (!own.startsWith('file:../')) return { spec: own }
  const path = `${VENDOR}${basename(tarball)}`
  return { spec: `file:${path}`, vendored: { path, content: readFileSync(tarball) } }
}

const isInstalled = (root: string): boolean => root.split(/[/\\]/u).includes('node_modules')

/** The tarball that npm installed the package from, as it noted in its hidden lockfile. */
function tarballOf(root: string): string | undefined {
  const home = dirname(dirname(root))
  const noted = join(dirname(root), '.package-lock.json')
  if (!isInstalled(root) || !existsSync(noted)) return undefined
  const { packages } = JSON.parse(readFileSync(noted, 'utf8')) as {
    readonly packages?: { readonly [path: string]: { readonly resolved?: string } }
  }
  const resolved = packages?.['node_modules/svc-kit']?.resolved
  if (resolved === undefined || !resolved.startsWith('file:')) return undefined
  const tarball = resolve(home, resolved.slice('file:'.length))
  return existsSync(tarball) ? tarball : undefined
}

function fileSpec(project: string, target: string): string {
  const real = existsSync(project)
    ? realpathSync(project)
    : join(realpathSync(nearestFolder(project)), relative(nearestFolder(project), project))
  const path = relative(real, target).replaceAll('\\', '/')
  return `file:${path.startsWith('.') ? path : `./${path}`}`
}

const nearestFolder = (path: string): string => (existsSync(path) ? path : nearestFolder(dirname(path)))
