import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of this package, where templates/ and schemas/ lie, wherever the running file was bundled to. */
export function packageRoot(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'templates')) && existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder))
      throw new Error('The svc-kit package is incomplete: its templates are missing. Install it again.')
  }
}

/** False in the file of operators' commands, which runs where this package is not. */
export const RUNS_FROM_PACKAGE: boolean = true

/** The version of this package. */
export const packageVersion = (): string => manifest().version

/** The range of Node that this package supports. */
export const packageEngines = (): string => manifest().engines.node

/** Time when this package was installed, in milliseconds since the epoch. */
export const packageTime = (): number => statSync(join(packageRoot(), 'package.json')).mtimeMs

interface Manifest {
  readonly version: string
  readonly engines: { readonly node: string }
}

const manifest = (): Manifest => JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as Manifest
