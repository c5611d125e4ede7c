import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mayInclude } from '../../compiler/parse/may-include.js'
import { digestsOf } from '../../runtime/keys/dist-digests.js'
import { isDated, sourceDate } from '../publishing/source-date.js'
import { buildSettings, NOTHING_SAID } from '../config/build-settings.js'
import { readLock, type Lock } from '../shared/locks/lock.js'
import { digestOfFile } from './digest-of-file.js'
import { keysFolder } from './keys-folder.js'
import { generatorName } from './generator-name.js'
import { say } from '../shared/output/say.js'
import { PINS, pinsDigest, TOOL, toolDigest } from './tool.js'

/** Says so when there is nothing to do. */
export async function isDone(root: string): Promise<boolean> {
  const settings = await buildSettings(root)
  // What targets of the project's own read is not known.
  const done =
    settings.code === undefined &&
    isUnchanged(root, generatorName(), settings) &&
    (await isListed(join(root, settings.folders.dist)))
  if (done) say('nothing has changed since the last build')
  return done
}

/** Holds when the manifest states the digest of the files as they are, and the date that the environment fixes. */
export async function isListed(dist: string): Promise<boolean> {
  const manifest = bytesOf(dist, 'manifest.json')
  const issued = `"issued_at":"${new Date(sourceDate(0)).toISOString().slice(0, 19)}Z"`
  const { sha256 } = await digestsOf(dist)
  return manifest.includes(`"x-digests-sha256":"${sha256}"`) && (!isDated() || manifest.includes(issued))
}

/**
 * Holds when the last build had the same inputs and every output still stands as it was written. Looks at digests only:
 * nothing is parsed, and the compiler is not loaded.
 */
export function isUnchanged(root: string, generator: string, settings = NOTHING_SAID): boolean {
  const { dist } = settings.folders
  const generated = readLock(root, 'svc.lock.json')
  const published = readLock(root, `${dist}/.svc-lock.json`)
  if (generated === undefined || published === undefined) return false
  if (![generated, published].every((lock) => lock.generator === generator && lock.replaced === undefined)) return false
  const { [TOOL]: tool, [PINS]: pins, ...inputs } = published.inputs
  if (pins !== pinsDigest(root)) return false
  if (tool !== toolDigest() || hasIncludes(bytesOf(root, 'svc.yaml'))) return false
  // A file of settings that came since then.
  if (!settings.files.every(({ name }) => name in generated.inputs)) return false
  // A build that was killed between the two folders leaves one that is of other inputs.
  if (!Object.entries(inputs).every(([path, sum]) => (generated.inputs[path] ?? sum) === sum)) return false
  const expected: Lock['inputs'] = { ...generated.inputs, ...generated.outputs, ...inputs, ...published.outputs }
  return (
    Object.entries(expected).every(([path, sum]) => digestOfFile(join(root, path)) === sum) && isPublished(root, dist)
  )
}

/**
 * An include may match new files, so its patterns must be read. Megabytes are looked through before they become text.
 */
const hasIncludes = (manifest: Buffer): boolean =>
  (manifest.includes('include') || manifest.includes('\\')) && mayInclude(manifest.toString('utf8'))

const NOTHING = Buffer.alloc(0)

function bytesOf(root: string, path: string): Buffer {
  try {
    return readFileSync(join(root, path))
  } catch {
    return NOTHING
  }
}

const DAY = 24 * 60 * 60 * 1000
const EXPIRY = '"expires_at":"'

/** The published manifest is there, with its signature where there are keys, and not near its end. */
function isPublished(root: string, dist: string): boolean {
  if (existsSync(keysFolder(root)) && !existsSync(join(root, dist, 'manifest.jws'))) return false
  const manifest = bytesOf(root, `${dist}/manifest.json`)
  const from = manifest.indexOf(EXPIRY)
  if (from === -1) return false
  const start = from + EXPIRY.length
  return Date.parse(manifest.toString('latin1', start, manifest.indexOf('"', start))) - Date.now() > 15 * DAY
}
