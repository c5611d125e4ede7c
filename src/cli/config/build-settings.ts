import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckOptions } from '../../compiler/check.js'
import { FOLDERS, type Folders } from '../../compiler/config/folders.js'
import { UNVERSIONED } from '../../protocol/version.js'
import type { EmittedFile } from '../../compiler/emitted.js'
import { CONFIG_FILES, configOf, theOneOf } from './config-of.js'
import { versionOfService } from './service-version.js'

/** Files of code: they hold targets of the project's own. Only `svc build` and `svc dev` run them. */
const CODE_FILES = ['svc.config.js', 'svc.config.mjs'] as const

/** Build settings of a project. */
export interface BuildSettings {
  readonly folders: Folders
  /** Lints that count as errors. */
  readonly checks: Pick<CheckOptions, 'preset' | 'enable' | 'severities'>
  /** The file of the project's own targets. What they read is not known, so each build makes everything anew. */
  readonly code: string | undefined
  /** Semantic version of the service, as its `package.json` says. */
  readonly version: string
  /** The files that say so, with their text: a build is out of date when they change. */
  readonly files: readonly { readonly name: string; readonly text: string }[]
}

export const NOTHING_SAID: BuildSettings = {
  folders: FOLDERS,
  checks: {},
  code: undefined,
  version: UNVERSIONED,
  files: [],
}

export async function buildSettings(root: string): Promise<BuildSettings> {
  const { validate, build } = await configOf(root)
  const code = theOneOf(CODE_FILES, root)
  const names = [...CONFIG_FILES, ...(code === undefined ? [] : [code])].filter((name) => existsSync(join(root, name)))
  return {
    folders: { ...FOLDERS, ...build },
    checks: {
      ...(validate?.preset === undefined ? {} : { preset: validate.preset }),
      ...(validate?.enable === undefined ? {} : { enable: validate.enable }),
      ...(validate?.severity === undefined ? {} : { severities: validate.severity }),
    },
    code,
    version: versionOfService(root),
    files: names.map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') })),
  }
}

/** A file in the folders that the project chose. */
export function inFolders({ generated, dist }: Folders, file: EmittedFile): EmittedFile {
  const [, first, rest] = /^(generated|dist)\/(.+)$/su.exec(file.path) ?? []
  if (file.ownership === 'owned' || first === undefined) return file
  return { ...file, path: `${first === 'dist' ? dist : generated}/${rest}` }
}
