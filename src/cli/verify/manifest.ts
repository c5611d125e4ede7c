import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { publishManifest, verifyManifest } from '../../crypto/jws/published-manifest.js'
import { ringKeysOf } from '../../crypto/keys/key-ring.js'
import { readPublishedKeys } from '../../crypto/keys/published-keys.js'
import type { JsonObject, Manifest } from '../../protocol/manifest.js'
import { CliError, EXIT, isCliError } from '../shared/errors/cli-error.js'
import { differences } from './differences.js'
import type { GivenFile } from './given.js'
import { readArtefact } from './read.js'
import { pinned, rolesTrouble, signatureBeside, timeOfOption, UNVERIFIED_MANIFEST } from './origin.js'
import type { Verdict } from './verdict.js'

/** Verifies a published manifest with its detached signature; says which members differ where the source is at hand. */
export async function verifyManifestFile({ bytes, file, jwks, options, verify }: GivenFile): Promise<Verdict> {
  const { manifestKid = [] } = options
  const signature = Buffer.from(await readArtefact(options.signature ?? signatureOf(file)))
    .toString('latin1')
    .trim()
  const keys = manifestKid.length === 0 ? ringKeysOf(jwks, 'manifest') : pinned(jwks, manifestKid)
  const { findings, kid, document } = verifyManifest(bytes, signature, keys, timeOfOption(options), verify)
  const roles = document === undefined ? [] : rolesTrouble(kid, readPublishedKeys(document))
  const messages = [
    ...(manifestKid.length === 0 ? [UNVERIFIED_MANIFEST] : []),
    ...findings.map(({ message }) => message),
    ...roles,
  ]
  const isAsked = options.source !== undefined || findings.length > 0
  const changes = isAsked && document !== undefined ? await changesIn(document, file, options.source) : []
  return { kind: 'manifest', facts: factsOf(document, kid), findings: [...messages, ...changes] }
}

function signatureOf(file: string): string {
  if (file === '-') throw new CliError('Name the signature of the manifest: --signature <file>')
  return signatureBeside(file)
}

function factsOf(document: JsonObject | undefined, kid: string | undefined): Verdict['facts'] {
  const metadata = recordIn(document, 'manifest_metadata')
  const identity = recordIn(document, 'service_identity')
  const named = [
    ['service', identity['id']], ['version', metadata['version']], ['signed_by', kid],
    ['issued', metadata['issued_at']], ['expires', metadata['expires_at']], ['sha256', metadata['sha256']],
  ] as const // prettier-ignore
  return named.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
}

function recordIn(document: JsonObject | undefined, name: string): JsonObject {
  const value = document?.[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

/** The manifest in a file. What is wrong there is told beside the verdict. */
async function validManifest(source: string): Promise<Manifest | undefined> {
  const { checkedManifest } = await import('../build/inputs.js')
  try {
    return (await checkedManifest(source, Date.now(), { errorsTo: process.stderr })).manifest
  } catch (error) {
    if (isCliError(error) && error.exitCode === EXIT.findings) return undefined
    throw error
  }
}

/**
 * Compares with what the source would be published as. Without `--source`, the svc.yaml of the project is used if there
 * is one.
 */
async function changesIn(document: JsonObject, file: string, given: string | undefined): Promise<readonly string[]> {
  const source = given ?? join(dirname(file), '..', 'svc.yaml')
  if (given === undefined && (await stat(source).catch(() => undefined)) === undefined) return []
  const manifest = await validManifest(source)
  if (manifest === undefined) return [`It was not compared with ${source}, which has errors.`]
  const { issued_at, expires_at, 'x-digests-sha256': digests } = recordIn(document, 'manifest_metadata')
  if (typeof issued_at !== 'string' || typeof expires_at !== 'string') return []
  const publication = { issued_at, expires_at, ...(typeof digests === 'string' && { 'x-digests-sha256': digests }) }
  const expected = publishManifest(manifest, publication, readPublishedKeys(document)).document
  return differences(expected, document).map((change) => `Compared with ${source}: ${change}`)
}
