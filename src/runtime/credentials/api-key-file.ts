import { isRecord } from '../../crypto/json/kinds.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import { isRole, ROLES } from '../../protocol/roles.js'
import { isPrincipal } from '../../protocol/principals.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'

import { StartUpError } from '../errors/start-up-error.js'
import { readPrivately } from '../keys/private-file.js'
import type { ApiKey, ApiKeys } from './api-keys.js'
import { shellPath, shellWord } from '../../protocol/shell.js'

/**
 * Reads API keys from a JSON file: a list, or `{ "keys": [...] }`, of `{ id, principal, sha256, scopes?,
 * caller_classes?, roles?, revoked?, expires_at?, development? }`; members that begin with `x-` are notes. A running
 * service reads them again every few seconds. Rejects with `StartUpError`, which names the file and the key, for
 * anything else, and for a key without scopes and roles.
 */
export async function readApiKeys(file: string): Promise<ApiKeys> {
  const keys = await readApiKeyEntries(file)
  const unbounded = keys.findIndex(({ scopes, roles }) => scopes === undefined && roles === undefined)
  if (unbounded !== -1)
    throw new StartUpError(
      `${file}: key ${unbounded + 1} has neither scopes nor roles, so nothing bounds it. ` +
        `Run: svc apikeys change ${shellWord(keys[unbounded]!.id)} --scope <scope>`,
    )
  return Object.assign(keys, { reload: () => readApiKeys(file) })
}

/** Reads the entries of a file of API keys, among them such as a service refuses because nothing bounds them. */
export async function readApiKeyEntries(file: string): Promise<readonly ApiKey[]> {
  const bytes = await readOwn(file).catch((error: unknown) => {
    if (error instanceof StartUpError) throw error
    throw new StartUpError(`Cannot read the API keys in ${file}. Name the file that svc init wrote, or one like it.`)
  })
  const parsed = parseStrictJson(bytes)
  if (!parsed.ok) throw new StartUpError(`${file} is not JSON: ${parsed.reason}`)
  const list = isRecord(parsed.value) ? parsed.value['keys'] : parsed.value
  if (!Array.isArray(list)) throw new StartUpError(`${file} must hold a list of API keys.`)
  const keys = list.map((entry: Json, index) => apiKeyIn(file, entry, index))
  const second = firstRepeat(keys.map(({ sha256 }) => sha256))
  if (second !== -1) throw new StartUpError(`${file}: key ${second + 1} has the sha256 of one before it.`)
  const other = firstRepeat(keys.map(({ id, revoked }) => (revoked === true ? undefined : id)))
  if (other !== -1)
    throw new StartUpError(
      `${file}: key ${other + 1} has the id ${JSON.stringify(keys[other]!.id)} of one before it. ` +
        'Give it another: the trail and svc apikeys revoke name a key by its id.',
    )
  return keys
}

/** Returns the index of the first text that is among those before it, or -1. */
function firstRepeat(texts: readonly (string | undefined)[]): number {
  const seen = new Set<string>()
  return texts.findIndex((text) => text !== undefined && (seen.has(text) || !seen.add(text)))
}

/** Reads the file only if its owner alone can write to it, as with key files: a writer could add keys. */
async function readOwn(file: string): Promise<Uint8Array> {
  const found = await readPrivately(file)
  if (found.state === 'read') return found.bytes
  if (found.state === 'unfit') throw new StartUpError(`The file of API keys ${file} ${found.reason}.`)
  throw new StartUpError(
    `Others may access the API keys in ${file} (mode ${found.mode}). Run: chmod 600 ${shellPath(file)}`,
  )
}

function apiKeyIn(file: string, entry: Json, index: number): ApiKey {
  const problem = isRecord(entry) ? problemIn(entry) : 'must be an object'
  if (problem !== undefined) throw new StartUpError(`${file}: key ${index + 1} ${problem}.`)
  return entry as unknown as ApiKey
}

function problemIn({
  id,
  principal,
  sha256,
  scopes,
  caller_classes,
  roles,
  revoked,
  expires_at,
  development,
  ...others
}: JsonObject): string | undefined {
  // A limit that is misspelt would be none.
  const unknown = Object.keys(others).find((name) => !name.startsWith('x-'))
  if (unknown !== undefined) return `has an unknown member ${JSON.stringify(unknown)}; notes begin with x-`
  if (typeof id !== 'string' || !/^[^\p{C}\p{Zl}\p{Zp}]{1,256}$/u.test(id))
    return 'needs an id of 1 to 256 visible characters'
  if (!isPrincipal(principal)) return 'needs a principal, as human:ana@example.com'
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/u.test(sha256)) return 'needs sha256: 64 lower-case hex digits'
  if (!isTexts(scopes) || !isTexts(caller_classes)) return 'may have scopes and caller_classes as lists of strings'
  if (roles !== undefined && !(Array.isArray(roles) && roles.length > 0 && roles.every(isRole)))
    return `may have roles as a list of ${ROLES.join(', ')}`
  if (revoked !== undefined && typeof revoked !== 'boolean') return 'may have revoked: true or false'
  if (development !== undefined && typeof development !== 'boolean') return 'may have development: true or false'
  return expires_at === undefined || isTime(expires_at)
    ? undefined
    : 'may have expires_at: a time such as 2030-01-01T00:00:00Z'
}

const isTexts = (value: Json | undefined): boolean =>
  value === undefined || (Array.isArray(value) && value.every((each) => typeof each === 'string'))

const isTime = (value: Json): boolean =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/u.test(value) &&
  !Number.isNaN(Date.parse(value))
