import { nearest, question } from '../../compiler/nearest.js'
import { readFile, stat } from 'node:fs/promises'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import { readApiKeyEntries, readApiKeys } from '../../runtime/credentials/api-key-file.js'
import type { ApiKey } from '../../runtime/credentials/api-keys.js'
import { CliError } from '../shared/errors/cli-error.js'
import { oneAtATime } from '../shared/locks/one-at-a-time.js'
import { replaceFile } from '../shared/files/replace-file.js'
import { serviceSetting } from '../shared/files/service-setting.js'

export interface FileOption {
  readonly file?: string
}

/** The file that a command is about. */
export const fileOf = ({ file }: FileOption): string => file ?? serviceSetting('.', 'SVC_API_KEYS') ?? 'api-keys.json'

/** Keys as a service reads them; none where the file is not there. */
export async function keysOf(file: string): Promise<readonly ApiKey[]> {
  return (await isThere(file)) ? readApiKeys(file).catch(explained) : []
}

/**
 * Its keys; none where it is not there. What is wrong with it is the user's to know, but for entries that nothing
 * bounds: a service refuses them, and `svc apikeys change` bounds them.
 */
export async function keyEntriesOf(file: string): Promise<readonly ApiKey[]> {
  return (await isThere(file)) ? readApiKeyEntries(file).catch(explained) : []
}

const isThere = async (file: string): Promise<boolean> => (await stat(file).catch(() => undefined)) !== undefined

const explained = (error: unknown): never => {
  throw error instanceof Error && error.name === 'StartUpError' ? new CliError(error.message) : error
}

/**
 * Writes the keys that a change makes of those that are there, while nobody else changes them. The file is its owner's
 * alone, and the form it had stays: a list, or an object that holds one.
 */
export function changeKeys(file: string, change: (keys: readonly ApiKey[]) => readonly ApiKey[]): Promise<void> {
  return oneAtATime(`${file}.changing`, `Another command is changing ${file}.`, async () => {
    const keys = change(await keyEntriesOf(file))
    const around = await aroundList(file)
    const content = around === undefined ? keys : { ...around, keys }
    await replaceFile(file, `${JSON.stringify(content, undefined, 2)}\n`, 0o600)
  })
}

/** Returns the object around the list of keys; undefined if the file holds the bare list. */
async function aroundList(file: string): Promise<object | undefined> {
  const bytes = await readFile(file).catch(() => undefined)
  const parsed = bytes === undefined ? undefined : parseStrictJson(bytes)
  const value: unknown = parsed?.ok === true ? parsed.value : []
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

/** The one key of an id. */
export function apiKeyNamed(keys: readonly ApiKey[], id: string, file: string): ApiKey {
  const [key, another] = keys.filter((each) => each.id === id)
  if (key === undefined) {
    const near = question(nearest(id, keys.map((each) => each.id))) // prettier-ignore
    throw new CliError(`${file} has no key ${JSON.stringify(id)}.${near} See: svc apikeys list`)
  }
  if (another !== undefined)
    throw new CliError(`${file} has several keys ${JSON.stringify(id)}; give each an id of its own.`)
  return key
}
