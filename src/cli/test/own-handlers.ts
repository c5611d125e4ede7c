import { rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { replaceFile } from '../shared/files/replace-file.js'
import { CliError } from '../shared/errors/cli-error.js'
import { bundle } from '../bundle/bundle.js'
import type { OwnHandlers } from './service.js'

let count = 0

/** The handlers of a service, from its TypeScript. Their packages are those of the service. */
export async function handlersAt(path: string, folder: string): Promise<OwnHandlers> {
  const root = resolve(folder)
  const entry = relative(root, resolve(path))
  const file = `.svctest-${process.pid}-${count++}.mjs`
  const { code } = await bundle({ root, entry, file, inlined: [] })
  await replaceFile(join(root, file), code)
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(join(root, file)).href)) as OwnHandlers
  } catch (error) {
    throw new CliError(`${path} cannot be run: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await rm(join(root, file), { force: true })
  }
}
