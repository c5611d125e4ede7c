import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MEMORY } from '../../runtime/checkpoints/memory.js'
import { say } from '../shared/output/say.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { directoryOf } from '../keys/directory.js'

export interface ResumeOptions {
  readonly keys?: string
  readonly reason: string
}

/** Lets a service sign on after a restored backup. What was remembered is kept, with the reason, and counts no more. */
export async function resumeSigning({ keys, reason }: ResumeOptions): Promise<ExitCode> {
  const place = keys ?? process.env['SVC_STATE_DIR']
  const folder = join(directoryOf(place === undefined ? {} : { dir: place }), MEMORY)
  const names = await readdir(folder).catch((): readonly string[] => [])
  const remembered = names.filter((name) => /^[0-9a-f]{32}\.json$/u.test(name))
  if (remembered.length === 0)
    throw new CliError(`${folder} remembers no checkpoint; nothing keeps the service from signing.`)
  const at = new Date().toISOString()
  for (const name of remembered) {
    const file = join(folder, name)
    const checkpoint: unknown = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(`${file}.new`, `${JSON.stringify({ abandoned_at: at, reason, checkpoint })}\n`, { mode: 0o600 })
    await rename(`${file}.new`, file)
    await rename(file, file.replace(/json$/u, `${at.replaceAll(':', '-')}.abandoned.json`))
    say(`${name}: abandoned, the service signs on from what its database holds`)
  }
  say('Tell those who hold newer checkpoints: they will see two histories.')
  return EXIT.ok
}
