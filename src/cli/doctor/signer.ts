import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { KEY_ROLES } from '../../protocol/words.js'
import { readStoredKeyFiles } from '../../runtime/keys/key-directory.js'
import { readSignerKeys } from '../../runtime/keys/remote/ring.js'
import { doubtful, fine, wrong, type Diagnosis } from './examination.js'
import { shellPath } from '../../protocol/shell.js'

const setting = (name: string): string => process.env[name] ?? ''

/** Whether the process that holds the keys answers, signs for each role, and nobody else has them or may ask. */
export async function keysOfSigner(root: string): Promise<Diagnosis> {
  const address = setting('SVC_SIGNER')
  const options = {
    certificate: setting('SVC_SIGNER_CERT'),
    key: setting('SVC_SIGNER_KEY'),
    authority: setting('SVC_SIGNER_CA'),
    secret: setting('SVC_SIGNER_SECRET'),
  }
  const ring = await readSignerKeys(address, options).catch((error: unknown) => error)
  if (!isRing(ring)) return wrong(String(ring instanceof Error ? ring.message : ring), 'See docs/guides/signer.md.')
  const missing = KEY_ROLES.filter(
    (role) => !ring.keys.some((key) => key.role === role && key.state === 'active' && key.signer !== undefined),
  )
  if (missing.length > 0)
    return wrong(`The signer at ${address} does not sign for ${missing.join(', ')}.`, 'Run there: svc keys generate')
  return (
    openSocket(address) ?? (await keysHere(root)) ?? fine(`each role signs at ${address}, and no private key is here`)
  )
}

function openSocket(address: string): Diagnosis | undefined {
  if (!address.startsWith('unix:')) return undefined
  const path = address.slice('unix:'.length)
  return (statSync(path).mode & 0o007) === 0
    ? undefined
    : wrong(`Everybody on this machine may use ${path}.`, `Run: chmod 660 ${shellPath(path)}`)
}

/** Keys that lie beside the service, too, are no safer for the signer. */
async function keysHere(root: string): Promise<Diagnosis | undefined> {
  const folder = resolve(root, setting('SVC_KEYS') || 'keys')
  const stored = await readStoredKeyFiles(folder).catch(() => [])
  return stored.some(({ privateJwk }) => privateJwk !== undefined)
    ? doubtful(`This process can read private keys in ${folder}.`, 'Move them to the signer, and remove them here.')
    : undefined
}

const isRing = (value: unknown): value is Awaited<ReturnType<typeof readSignerKeys>> =>
  typeof value === 'object' && value !== null && 'keys' in value
