import type { ApiKey } from '../../runtime/credentials/api-keys.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { say } from '../shared/output/say.js'
import { chosenAuthority, type KeyAuthorityOptions } from './authority.js'
import { changeKeys, fileOf, apiKeyNamed, type FileOption } from './file.js'
import { expiryTime } from './time.js'

/** Gives a key other scopes and roles, in place of those that it has. */
export async function changeApiKey(id: string, options: FileOption & KeyAuthorityOptions): Promise<ExitCode> {
  const authority = await chosenAuthority(options)
  if (authority === undefined) throw new CliError('Name what the key may do: --scope, --no-scopes, --role.')
  await change(id, options, { roles: undefined, ...authority })
  say(`changed ${id}; running services apply this within 10 seconds`)
  return EXIT.ok
}

/** Ends a key at once. */
export async function revokeApiKey(id: string, options: FileOption): Promise<ExitCode> {
  await change(id, options, { revoked: true })
  say(`revoked ${id}; running services apply this within 10 seconds`)
  return EXIT.ok
}

/** Says when a key ends. */
export async function expire(id: string, time: string, options: FileOption): Promise<ExitCode> {
  const expires_at = expiryTime(time)
  await change(id, options, { expires_at })
  say(`${id} ends at ${expires_at}`)
  return EXIT.ok
}

/** Members to set; one that is undefined is taken out. */
type Changed = { readonly [Member in keyof ApiKey]?: ApiKey[Member] | undefined }

const change = (id: string, options: FileOption, members: Changed): Promise<void> => {
  const file = fileOf(options)
  return changeKeys(file, (keys) => {
    const key = apiKeyNamed(keys, id, file)
    return keys.map((each) => (each === key ? ({ ...each, ...members } as ApiKey) : each))
  })
}
