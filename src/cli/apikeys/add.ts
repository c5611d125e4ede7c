import { createHash, randomBytes } from 'node:crypto'
import { isPrincipal } from '../../protocol/principals.js'
import type { ApiKey } from '../../runtime/credentials/api-keys.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { say } from '../shared/output/say.js'
import { changeKeys, fileOf, type FileOption } from './file.js'
import { chosenAuthority, type KeyAuthorityOptions } from './authority.js'
import { neededScopes } from './scopes.js'
import { expiryTime } from './time.js'
import { printOut } from '../shared/output/print.js'

export interface AddOptions extends FileOption, KeyAuthorityOptions {
  readonly id?: string
  readonly callerClass?: readonly string[]
  readonly expires?: string
}

/** Makes a key: its hash goes into the file, the key to standard output, and nowhere else. */
export async function add(principal: string, options: AddOptions): Promise<ExitCode> {
  if (!isPrincipal(principal))
    throw new CliError(`${JSON.stringify(principal)} is no principal such as human:ana@example.com or agent:desk.`)
  const authority = (await chosenAuthority(options)) ?? { scopes: await neededScopes() }
  const expires_at = options.expires === undefined ? undefined : expiryTime(options.expires)
  const key = `svc_${randomBytes(24).toString('base64url')}`
  const file = fileOf(options)
  let id = ''
  await changeKeys(file, (keys) => {
    id = options.id ?? freeId(keys, principal)
    if (id === '' || keys.some((each) => each.id === id))
      throw new CliError(`${file} has a key ${JSON.stringify(id)} already; name another with --id.`)
    return [...keys, entryOf(id, principal, key, { ...authority, caller_classes: options.callerClass, expires_at })]
  })
  say(`added ${id} to ${file}; running services apply this within 10 seconds`)
  say('Copy this key now. It is not shown again:')
  printOut(`${key}\n`)
  return EXIT.ok
}

function freeId(keys: readonly ApiKey[], principal: string): string {
  for (let number = 1; ; number++) {
    const id = `${principal}-${number}`
    if (!keys.some((key) => key.id === id)) return id
  }
}

const entryOf = (
  id: string,
  principal: ApiKey['principal'],
  key: string,
  rest: { readonly [name in 'scopes' | 'roles' | 'caller_classes' | 'expires_at']?: unknown },
): ApiKey => ({
  id,
  principal,
  sha256: createHash('sha256').update(key).digest('hex'),
  ...(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as Partial<ApiKey>),
})
