import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digest, readLock, type Lock } from './lock.js'
import { TOOL, toolDigest } from './tool.js'

/** An include may match new files, so its patterns must be read. */
const INCLUDE = /^\s*["']?include["']?\s*:/mu

/**
 * Holds when the last build had the same inputs and every output still stands as it was written. Looks at digests only: nothing
 * is parsed, and the compiler is not loaded.
 */
export async function isUnchanged(root: string, generator: string): Promise<boolean> {
  const generated = await readLock(root, 'svc.lock.json')
  const dist = await readLock(root, 'dist/.svc-lock.json')
  if (generated === undefined || dist === undefined) return false
  if (![generated, dist].every((lock) => lock.generator === generator && lock.replaced === undefined)) return false
  const { [TOOL]: tool, ...inputs } = dist.inputs
  if (tool !== (await toolDigest()) || INCLUDE.test(await textOf(root, 'svc.yaml'))) return false
  const expected: Lock['inputs'] = { ...generated.inputs, ...generated.outputs, ...inputs, ...dist.outputs }
  const stand = await Promise.all(Object.entries(expected).map(([path, sum]) => standsAsWritten(root, path, sum)))
  return stand.every(Boolean) && (await isPublished(root))
}

const textOf = (root: string, path: string): Promise<string> => readFile(join(root, path), 'utf8').catch(() => '')

async function standsAsWritten(root: string, path: string, sum: string): Promise<boolean> {
  const bytes = await readFile(join(root, path)).catch(() => undefined)
  return bytes !== undefined && digest(bytes) === sum
}

const DAY = 24 * 60 * 60 * 1000

/** The published manifest is there and not near its end. */
async function isPublished(root: string): Promise<boolean> {
  const expiry = /"expires_at":"([^"]+)"/u.exec(await textOf(root, 'dist/manifest.json'))?.[1]
  return expiry !== undefined && Date.parse(expiry) - Date.now() > 15 * DAY
}
