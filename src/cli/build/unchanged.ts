import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildSettings, NOTHING_SAID } from '../config/build-settings.js'
import { digest, readLock, type Lock } from './lock.js'
import { generatorName } from './generator-name.js'
import { say } from './say.js'
import { TOOL, toolDigest } from './tool.js'

/** An include may match new files, so its patterns must be read. */
const INCLUDE = /^\s*["']?include["']?\s*:/mu

/** Says so when there is nothing to do. */
export async function isDone(root: string): Promise<boolean> {
  const settings = await buildSettings(root)
  // What targets of the project's own read is not known.
  const done = settings.code === undefined && (await isUnchanged(root, generatorName(), settings))
  if (done) say('nothing has changed since the last build')
  return done
}

/**
 * Holds when the last build had the same inputs and every output still stands as it was written. Looks at digests only: nothing
 * is parsed, and the compiler is not loaded.
 */
export async function isUnchanged(root: string, generator: string, settings = NOTHING_SAID): Promise<boolean> {
  const { dist } = settings.folders
  const generated = await readLock(root, 'svc.lock.json')
  const published = await readLock(root, `${dist}/.svc-lock.json`)
  if (generated === undefined || published === undefined) return false
  if (![generated, published].every((lock) => lock.generator === generator && lock.replaced === undefined)) return false
  const { [TOOL]: tool, ...inputs } = published.inputs
  if (tool !== (await toolDigest()) || INCLUDE.test(await textOf(root, 'svc.yaml'))) return false
  // A file of settings that came since then.
  if (!settings.files.every(({ name }) => name in generated.inputs)) return false
  const expected: Lock['inputs'] = { ...generated.inputs, ...generated.outputs, ...inputs, ...published.outputs }
  const stand = await Promise.all(Object.entries(expected).map(([path, sum]) => standsAsWritten(root, path, sum)))
  return stand.every(Boolean) && (await isPublished(root, dist))
}

const textOf = (root: string, path: string): Promise<string> => readFile(join(root, path), 'utf8').catch(() => '')

async function standsAsWritten(root: string, path: string, sum: string): Promise<boolean> {
  const bytes = await readFile(join(root, path)).catch(() => undefined)
  return bytes !== undefined && digest(bytes) === sum
}

const DAY = 24 * 60 * 60 * 1000

/** The published manifest is there and not near its end. */
async function isPublished(root: string, dist: string): Promise<boolean> {
  const expiry = /"expires_at":"([^"]+)"/u.exec(await textOf(root, `${dist}/manifest.json`))?.[1]
  return expiry !== undefined && Date.parse(expiry) - Date.now() > 15 * DAY
}
