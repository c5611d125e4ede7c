import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { packageRoot, packageVersion } from '../shared/files/package-root.js'

/**
 * Dependency on svc-kit in the scaffold, as the running package was installed: the tarball, the checkout, or the
 * version.
 */
export function packageSpec(project: string): string {
  const root = packageRoot()
  const tarball = tarballOf(root)
  if (tarball !== undefined) return fileSpec(project, tarball)
  return isInstalled(root) ? packageVersion() : fileSpec(project, realpathSync(root))
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
