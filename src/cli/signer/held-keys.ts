import { stateAt, type StoredKey } from '../../crypto/keys/stored-key.js'
import { signerFromJwk, type Signer } from '../../crypto/keys/signer.js'
import type { Log } from '../../runtime/definition.js'
import { KeyTrouble, readStoredKeyFiles } from '../../runtime/keys/key-directory.js'
import { shellPath } from '../../protocol/shell.js'

/** A key of the directory, and what signs for it; nothing, where its private half is elsewhere. */
export interface HeldKey {
  readonly stored: StoredKey
  readonly signer: Signer | undefined
}

/** The keys as they were read last, at most a second ago: what was retired signs no more. */
export type HeldKeys = () => Promise<readonly HeldKey[]>

const READ_AGAIN_MS = 1_000

/** Rejects with `KeyTrouble` when the directory cannot be read now; later it keeps what was read last. */
export async function heldKeys(
  directory: string,
  elsewhere: ((key: StoredKey) => Signer) | undefined,
  log: Log,
): Promise<HeldKeys> {
  const read = async (): Promise<readonly HeldKey[]> => {
    const stored = await readStoredKeyFiles(directory)
    if (stored.length === 0)
      throw new KeyTrouble(
        `${directory} holds no keys. Make them with: svc keys generate --dir ${shellPath(directory)}`,
      )
    return stored.map((key) => ({ stored: key, signer: signerOf(key, elsewhere) }))
  }
  let keys = await read()
  let readAt = Date.now()
  return async () => {
    if (Math.abs(Date.now() - readAt) < READ_AGAIN_MS) return keys
    readAt = Date.now()
    keys = await read().catch((error: unknown) => {
      log.error('The keys cannot be read; those that were read last stay.', { error: String(error) })
      return keys
    })
    return keys
  }
}

function signerOf(key: StoredKey, elsewhere: ((key: StoredKey) => Signer) | undefined): Signer | undefined {
  return key.privateJwk === undefined ? elsewhere?.(key) : signerFromJwk(key.privateJwk)
}

/** A service reads the keys now and then, and its clock may differ a little: the change of a key is not that sharp. */
const TOLERANCE_MS = 60_000

export const isSigning = (key: StoredKey, now: number): boolean =>
  [now - TOLERANCE_MS, now, now + TOLERANCE_MS].some((time) => stateAt(key, time) === 'active')
