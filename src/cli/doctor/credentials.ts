import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openToOthers } from '../../runtime/keys/private-file.js'
import { serviceSetting } from '../shared/files/service-setting.js'
import { doubtful, fine, wrong, type Examination } from './examination.js'
import { shellPath } from '../../protocol/shell.js'

/** Whether the signing keys can be read, by their owner alone, and each role has one that signs now. */
export const signingKeysAreReadable: Examination = {
  name: 'signing keys',
  of: async (root) => {
    if (serviceSetting(root, 'SVC_SIGNER')) return (await import('./signer.js')).keysOfSigner(root)
    const folder = resolve(root, serviceSetting(root, 'SVC_KEYS') ?? 'keys')
    if (!existsSync(folder))
      return doubtful('There is no folder of keys.', 'Run: svc keys generate; or name it in SVC_KEYS.')
    const { keysIn } = await import('../keys/directory.js')
    const { readKeyRing } = await import('../../runtime/keys/key-directory.js')
    const keys = await keysIn(folder)
    await readKeyRing(folder)
    return fine(`${keys.length} in ${folder}`)
  },
}

/** Whether the API keys can be read, by their owner alone, and some credential is still good. */
export const apiKeysAreGood: Examination = {
  name: 'API keys',
  of: async (root) => {
    const file = resolve(root, serviceSetting(root, 'SVC_API_KEYS') ?? 'api-keys.json')
    if (!existsSync(file)) return undefined
    const { keysOf } = await import('../apikeys/file.js')
    const keys = await keysOf(file)
    const good = keys.filter(({ revoked, expires_at }) => !revoked && !(Date.parse(String(expires_at)) <= Date.now()))
    return good.length === 0
      ? doubtful(`None of ${keys.length} keys is good any more.`, 'Run: svc apikeys add human:<you>')
      : fine(`${good.length} of ${keys.length} are good`)
  },
}

/** Whether the development credentials in .env stay here: for its owner alone, and in no commit. */
export const environmentIsPrivate: Examination = {
  name: '.env',
  of: async (root) => {
    const file = join(root, '.env')
    if (!existsSync(file)) return undefined
    const mode = await openToOthers(file)
    if (mode !== undefined) return wrong(`Others may read .env (mode ${mode}).`, `Run: chmod 600 ${shellPath(file)}`)
    const ignored = join(root, '.gitignore')
    const isIgnored = existsSync(ignored) && /^\/?\.env\s*$/mu.test(readFileSync(ignored, 'utf8'))
    return isIgnored
      ? fine('its owner’s alone, and ignored by git')
      : doubtful('.gitignore does not name .env, which holds credentials.', 'Add the line: .env')
  },
}
