import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { buildSettings } from '../config/build-settings.js'
import { digestOfFile } from './digest-of-file.js'
import { readLock } from '../shared/locks/lock.js'
import { say } from '../shared/output/say.js'
import { filesAmong } from './tool.js'

/** Checks a project before `npm start`: fails if nothing was built, and warns if the build is out of date. */
export async function beforeStart(root: string): Promise<ExitCode> {
  const { dist } = (await buildSettings(root)).folders
  if (!existsSync(join(root, dist, 'server.mjs')))
    throw new CliError(`There is no ${dist}/server.mjs. Make it with: npm run build`, EXIT.findings)
  const note = outOfDateNote(root, dist)
  if (note !== undefined) say(`warning: ${note} Run: npm run build`)
  return EXIT.ok
}

/** Says which source has changed since the server was bundled; undefined where none has. */
export function outOfDateNote(root: string, dist: string): string | undefined {
  const [first, ...others] = changedSources(root, dist)
  if (first === undefined) return undefined
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${dist}/ is out of date: ${first}${more} changed since the last build.`
}

/** A source that is not there is no change: `dist/` alone is what is deployed. */
function changedSources(root: string, dist: string): readonly string[] {
  const inputs = filesAmong(readLock(root, `${dist}/.svc-lock.json`)?.inputs ?? {})
  return Object.entries(inputs)
    .filter(([path, sum]) => ![undefined, sum].includes(digestOfFile(join(root, path))))
    .map(([path]) => path)
}
