import type { ApiKey } from '../../runtime/credentials/api-keys.js'
import { EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { say } from '../shared/output/say.js'
import { changeKeys, fileOf, apiKeyNamed, type FileOption } from './file.js'
import { expiryTime } from './time.js'

/** Ends a key at once. */
export async function revokeApiKey(id: string, options: FileOption): Promise<ExitCode> {
  await change(id, options, { revoked: true })
  say(`revoked ${id}; running services know within ten seconds`)
  return EXIT.ok
}

/** Says when a key ends. */
export async function expire(id: string, time: string, options: FileOption): Promise<ExitCode> {
  const expires_at = expiryTime(time)
  await change(id, options, { expires_at })
  say(`${id} ends at ${expires_at}`)
  return EXIT.ok
}

const change = (id: string, options: FileOption, members: Partial<ApiKey>): Promise<void> => {
  const file = fileOf(options)
  return changeKeys(file, (keys) => {
    const key = apiKeyNamed(keys, id, file)
    return keys.map((each) => (each === key ? { ...each, ...members } : each))
  })
}
