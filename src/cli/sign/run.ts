import { rm, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { signDetached } from '../../crypto/jws/jws.js'
import { publishManifest } from '../../crypto/jws/published-manifest.js'
import { durationMs } from '../../protocol/durations.js'
import { makeFolder } from '../../runtime/storage/make-folder.js'
import { checkedManifest } from '../generate/inputs.js'
import { say } from '../generate/say.js'
import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import { replaceFile } from '../replace-file.js'
import { publishingKey } from './publishing-key.js'

export interface SignOptions {
  readonly key?: string
  readonly keys?: string
  readonly out: string
  readonly expires: string
}

/** Signs the manifest of a service and writes what is published: canonical bytes, signature, public keys. */
export async function sign(folder: string, options: SignOptions): Promise<ExitCode> {
  const now = Date.now()
  const root = resolve(folder)
  const expires = expiryOf(options.expires, now)
  const manifest = await readManifest(root, now)
  const { signer, jwks, keys } = await publishingKey(root, options, now)
  const published = publishManifest(manifest, { issued_at: rfc3339(now), expires_at: rfc3339(expires) }, keys)
  const signature = await signDetached(signer, published.bytes)
  const out = resolve(root, options.out)
  await makeFolder(out)
  await rm(join(out, 'manifest.jws'), { force: true })
  await replaceFile(join(out, 'manifest.json'), published.bytes)
  await replaceFile(join(out, 'jwks.json'), `${JSON.stringify(jwks)}\n`)
  await replaceFile(join(out, 'manifest.jws'), signature)
  say(`signed ${relative(process.cwd(), join(out, 'manifest.json'))} with the manifest key ${signer.kid}`)
  say(`sha256 ${published.sha256}, valid until ${rfc3339(expires)}`)
  return EXIT.ok
}

async function readManifest(root: string, now: number) {
  const file = join(root, 'svc.yaml')
  if ((await stat(file).catch(() => undefined)) === undefined)
    throw new CliError(
      `There is no ${relative(process.cwd(), file)}. Name the folder of a service, or make one: svc init`,
    )
  return (await checkedManifest(file, now)).manifest
}

function expiryOf(text: string, now: number): number {
  const length = durationMs(text)
  const time = length === undefined ? Date.parse(RFC3339.test(text) ? text : '') : now + length
  if (Number.isNaN(time))
    throw new CliError(`--expires ${text} is neither a duration such as P30D nor a time such as 2030-01-01T00:00:00Z.`)
  if (time <= now) throw new CliError(`--expires ${text} is not in the future.`)
  return time
}

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/u
/** Whole seconds. */
const rfc3339 = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`
