import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { packageRoot } from '../shared/files/package-root.js'

/** A package of which modules are part of a bundle. */
export interface JoinedPackage {
  readonly name: string
  readonly version: string
  /** SPDX expression, where the package states one. */
  readonly license: string | undefined
  readonly folder: string
  /** Path of a module of the package that is the same wherever the package is installed. */
  readonly placeOf: (path: string) => string
}

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly license?: unknown
  readonly gypfile?: boolean
  readonly binary?: unknown
  readonly dependencies?: { readonly [name: string]: string }
  readonly optionalDependencies?: { readonly [name: string]: string }
  readonly exports?: { readonly [entry: string]: { readonly default?: string } | string }
}

/** `@scope/name/part` -> `@scope/name`. */
export const packageNameOf = (id: string): string => id.split('/', id.startsWith('@') ? 2 : 1).join('/')

/** Path of an entry of the svc-kit that runs; undefined for another package. */
export function ownModule(id: string): string | undefined {
  if (packageNameOf(id) !== OWN) return undefined
  const entry = manifestIn(packageRoot())?.exports?.[`.${id.slice(OWN.length)}`]
  const path = typeof entry === 'string' ? entry : entry?.default
  return path === undefined ? undefined : join(packageRoot(), path)
}

const OWN = 'svc-kit'

export const isInstalled = (path: string): boolean => isAbsolute(path) && existsSync(path)

/** Holds for a module of a package with code for one platform, which no bundle can hold. */
export function isNative(path: string): boolean {
  const folder = folderOf(path)
  const manifest = folder === undefined ? undefined : manifestIn(folder)
  if (manifest === undefined) return false
  const { gypfile, binary, dependencies = {}, optionalDependencies = {} } = manifest
  return (
    path.endsWith('.node') ||
    gypfile === true ||
    binary !== undefined ||
    LOADERS.some((name) => name in dependencies) ||
    Object.keys(optionalDependencies).some((name) => PLATFORM.test(name))
  )
}

/** Packages that find a binary beside the module that asks. */
const LOADERS = [
  'bindings',
  'node-gyp-build',
  'node-pre-gyp',
  '@mapbox/node-pre-gyp',
  '@neon-rs/load',
  'prebuild-install',
]
const PLATFORM = /(?:^|[-_/])(?:linux|darwin|win32)[-_]/u

/** The packages of these modules, sorted by name; modules of no package are left out. */
export function packagesOf(paths: readonly string[]): readonly JoinedPackage[] {
  const folders = new Set(paths.flatMap((path) => folderOf(path) ?? []))
  return [...folders]
    .map(packageIn)
    .toSorted((one, other) => (`${one.name} ${one.version}` < `${other.name} ${other.version}` ? -1 : 1))
}

function packageIn(folder: string): JoinedPackage {
  const { name = '', version = '', license } = manifestIn(folder) ?? {}
  return {
    name,
    version,
    license: typeof license === 'string' ? license : undefined,
    folder,
    placeOf: (path) => `${name}/${relative(folder, path)}`,
  }
}

const WITHIN = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/u

/** Holds for a module that a package takes from outside of itself by a path: a file of whoever builds. */
export function isTakenFromOutside(importer: string, found: string): boolean {
  const [folder] = WITHIN.exec(importer) ?? []
  return folder !== undefined && relative(folder, found).startsWith('..')
}

/** Folder of the package that a module belongs to; undefined where it belongs to the project. */
function folderOf(path: string): string | undefined {
  const [folder] = WITHIN.exec(path) ?? []
  if (folder !== undefined) return folder
  return path.startsWith(join(packageRoot(), 'dist', '/')) ? packageRoot() : undefined
}

const known = new Map<string, Manifest | undefined>()

function manifestIn(folder: string): Manifest | undefined {
  if (!known.has(folder)) known.set(folder, read(join(folder, 'package.json')))
  return known.get(folder)
}

function read(file: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest
  } catch {
    return undefined
  }
}
