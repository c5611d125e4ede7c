import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mayInclude } from '../../compiler/parse/may-include.js'
import { digestsOf, PUBLISHED } from '../../runtime/keys/dist-digests.js'
import { buildSettings, type BuildSettings } from '../config/build-settings.js'
import { digest, readLock, type Lock } from '../shared/locks/lock.js'
import { digestOfFile } from './digest-of-file.js'
import { keysFolder } from './keys-folder.js'
import { generatorName } from './generator-name.js'
import { say } from '../shared/output/say.js'
import { publishedBefore } from './signed-state.js'
import { filesAmong, PINS, pinsDigest, SERVICE_VERSION, TOOL, toolDigest, UNFINISHED } from './tool.js'

/** Says so when there is nothing to do. What a watcher built, or `--no-types`, is not done. */
export async function isDone(root: string): Promise<boolean> {
  const settings = await buildSettings(root)
  const dist = join(root, settings.folders.dist)
  if (isUnfinished(root, settings)) return false
  // What targets of the project's own read is not known.
  const done = settings.code === undefined && isUnchanged(root, generatorName(), settings) && (await isPublished(dist))
  if (done) say('nothing has changed since the last build')
  if (done && !existsSync(join(dist, PUBLISHED.signature))) say(NOT_SIGNED)
  return done
}

/** Holds where a watcher wrote `dist/`, or types were not checked. */
export const isUnfinished = (root: string, { folders }: BuildSettings): boolean =>
  readLock(root, `${folders.dist}/.svc-lock.json`)?.inputs[UNFINISHED] !== undefined

/** Said where a build wrote a manifest and had no key to sign it with. */
export const NOT_SIGNED = 'not signed: no keys'

/** Holds when the manifest is the one that was published with the files as they are. */
export const isPublished = async (dist: string): Promise<boolean> =>
  publishedBefore(dist, await digestsOf(dist), Date.now()) !== undefined

/**
 * Holds when the last build had the same inputs and every output still stands as it was written. Looks at digests only:
 * nothing is parsed, and the compiler is not loaded.
 */
export function isUnchanged(root: string, generator: string, settings: BuildSettings): boolean {
  const { dist } = settings.folders
  const generated = readLock(root, 'svc.lock.json')
  const published = readLock(root, `${dist}/.svc-lock.json`)
  if (generated === undefined || published === undefined) return false
  if (![generated, published].every((lock) => lock.generator === generator && lock.replaced === undefined)) return false
  const { [TOOL]: tool, [PINS]: pins, [SERVICE_VERSION]: version } = published.inputs
  const inputs = filesAmong(published.inputs)
  if (pins !== pinsDigest(root) || version !== digest(settings.version)) return false
  if (tool !== toolDigest() || hasIncludes(bytesOf(root, 'svc.yaml'))) return false
  // A file of settings that came since then.
  if (!settings.files.every(({ name }) => name in generated.inputs)) return false
  // A build that was killed between the two folders leaves one that is of other inputs.
  if (!Object.entries(inputs).every(([path, sum]) => (generated.inputs[path] ?? sum) === sum)) return false
  const expected: Lock['inputs'] = { ...generated.inputs, ...generated.outputs, ...inputs, ...published.outputs }
  if (existsSync(keysFolder(root)) && !existsSync(join(root, dist, PUBLISHED.signature))) return false
  return Object.entries(expected).every(([path, sum]) => digestOfFile(join(root, path)) === sum)
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
