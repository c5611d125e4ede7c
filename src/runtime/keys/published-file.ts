import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartUpError } from '../errors/start-up-error.js'
import type { PublishedManifest } from './published-documents.js'

/**
 * Reads the signed manifest that a service is started with, and its signature beside it (`.jws`): the file after
 * `--manifest` among the arguments of the process, else the given one; undefined where neither is there. Rejects with
 * `StartUpError` where one of the two files is missing, or the option does not name one.
 */
export async function readPublishedManifest(
  args: readonly string[],
  setting: string | undefined,
): Promise<PublishedManifest | undefined> {
  const file = optionIn(args) ?? setting ?? ''
  if (file === '') return undefined
  const bytes = await readFile(file).catch(() => undefined)
  if (bytes === undefined) throw new StartUpError(`The manifest ${file} cannot be read. Write it with: svc sign`)
  const beside = file.endsWith('.json') ? file.replace(/json$/u, 'jws') : `${file}.jws`
  const signature = await readFile(beside, 'latin1').catch(() => undefined)
  if (signature === undefined)
    throw new StartUpError(`The manifest ${file} is not signed: there is no ${beside}. Sign it with: svc sign`)
  return { bytes, signature: signature.trim(), folder: dirname(file) }
}

const OPTION = '--manifest'

/** Without its file, the service would serve a manifest of its own, and nobody would notice. */
function optionIn(args: readonly string[]): string | undefined {
  const [file, ...more] = args.flatMap((arg, at) => {
    if (arg === OPTION) return [args[at + 1] ?? '']
    return arg.startsWith(`${OPTION}=`) ? [arg.slice(OPTION.length + 1)] : []
  })
  if (file !== '' && more.length === 0) return file
  const problem = file === '' ? 'names no file' : 'is given more than once'
  throw new StartUpError(`${OPTION} ${problem}. Start with one: node dist/server.mjs ${OPTION} dist/manifest.json`)
}
