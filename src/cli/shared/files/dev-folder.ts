import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CliError } from '../errors/cli-error.js'
import { leadsElsewhere } from './leads-elsewhere.js'

/** The folder of what `svc dev` makes: keys of its identities, the token of the agent; relative to the service. */
export const DEV_FOLDER = '.svc-dev'

/** Makes the folder; refuses a link, through which its keys would be written elsewhere. */
export function makeDevFolder(root: string): void {
  if (leadsElsewhere(root, DEV_FOLDER)) throw new CliError(`${DEV_FOLDER} is a link, or no folder. Remove it.`)
  mkdirSync(join(root, DEV_FOLDER), { recursive: true, mode: 0o700 })
}
