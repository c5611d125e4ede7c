import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of this package, where templates/ and schemas/ lie, wherever the running file was bundled to. */
export function packageRoot(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'templates')) && existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder))
      throw new Error('The svc-kit package is incomplete: its templates are missing. Install it again.')
  }
}

/** The version of this package. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    readonly version: string
  }
  return version
}
