import { stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { publishManifest } from '../../crypto/jws/published-manifest.js'
import { durationMs } from '../../protocol/durations.js'
import { DIGESTS, digestsOf } from '../../runtime/keys/dist-digests.js'
import { makeFolder } from '../../runtime/storage/make-folder.js'
import { buildSettings } from '../config/build-settings.js'
import { checkedManifest } from '../build/inputs.js'
import { say } from '../shared/output/say.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { replaceFile } from '../shared/files/replace-file.js'
import { publishingKey, type PublishingKey } from '../publishing/publishing-key.js'
import { sourceDate } from '../publishing/source-date.js'
import { writeJwks, writePublished } from '../publishing/write-published.js'

export interface SignOptions {
  readonly key?: string
  readonly keys?: string
  readonly jwks?: string
  readonly out?: string
  readonly expires: string
}

/** Signs the manifest of a service and writes what is published: canonical bytes, signature, public keys, digests. */
export async function sign(folder: string, options: SignOptions): Promise<ExitCode> {
  const now = Date.now()
  const root = resolve(folder)
  const issued = sourceDate(now)
  const expires = expiryOf(options.expires, issued, now)
  const manifest = await readManifest(root, now)
  const key = await publishingKey(root, options, now)
  const dist = resolve(root, (await buildSettings(root)).folders.dist)
  const out = options.out === undefined ? dist : resolve(root, options.out)
  await makeFolder(out)
  await writeJwks(out, key.jwks)
  const times = { issued_at: rfc3339(issued), expires_at: rfc3339(expires) }
  const published = publishManifest(manifest, { ...times, ...(out === dist && (await listed(dist))) }, key.keys)
  await writePublished(out, published.bytes, key.privateJwk)
  say(`signed ${relative(process.cwd(), join(out, 'manifest.json'))} with the manifest key ${key.kid}`)
  say(`sha256 ${published.sha256}, valid until ${times.expires_at}`)
  noteStranger(key, options)
  return EXIT.ok
}

/** Lists the files of a build, for the manifest to state the digest of the list. */
async function listed(dist: string): Promise<{ readonly 'x-digests-sha256': string }> {
  const { text, sha256 } = await digestsOf(dist)
  await replaceFile(join(dist, DIGESTS), text)
  return { 'x-digests-sha256': sha256 }
}

/** A service starts with a signed manifest only when it publishes the key that signed it. */
function noteStranger({ kid, isPublished }: PublishingKey, { jwks }: SignOptions): void {
  if (jwks === undefined || isPublished) return
  say(
    `note: ${jwks} does not have the key ${kid}, so the service will not start with this manifest. Where it runs: ` +
      'svc keys generate --role manifest --public-key <file>',
  )
}

async function readManifest(root: string, now: number) {
  const file = join(root, 'svc.yaml')
  if ((await stat(file).catch(() => undefined)) === undefined)
    throw new CliError(
      `There is no ${relative(process.cwd(), file)}. Name the folder of a service, or make one: svc init`,
    )
  return (await checkedManifest(file, now)).manifest
}

/** Returns the expiry of a manifest issued at a time; refuses an expiry in the past. */
function expiryOf(text: string, issued: number, now: number): number {
  const length = durationMs(text)
  const time = length === undefined ? Date.parse(RFC3339.test(text) ? text : '') : issued + length
  if (Number.isNaN(time))
    throw new CliError(`--expires ${text} is neither a duration such as P30D nor a time such as 2030-01-01T00:00:00Z.`)
  if (time > now) return time
  if (issued === now) throw new CliError(`--expires ${text} is not in the future.`)
  throw new CliError(
    `The manifest would be expired: SOURCE_DATE_EPOCH is ${rfc3339(issued)}, and --expires ${text} ends at ` +
      `${rfc3339(time)}. Take a longer --expires, or the date of a newer commit.`,
  )
}

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/u
/** Whole seconds. */
const rfc3339 = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`
