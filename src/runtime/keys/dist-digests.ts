/**
 * Digests of the files that a build wrote (decisions, section 22). The signed manifest states the digest of the list,
 * so that one signature covers the whole folder.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalText } from '../../crypto/json/canonical.js'
import { sha256Hex } from '../../crypto/json/digest.js'
import { isRecord } from '../../crypto/json/kinds.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'

/** The file that lists the others. */
export const DIGESTS = 'digests.json'

/** Names of the files that are published together. */
export const PUBLISHED = { manifest: 'manifest.json', signature: 'manifest.jws', jwks: 'jwks.json' } as const

/** The manifest states the digest of the list, so neither it nor its signature can be in it. */
const BESIDE: ReadonlySet<string> = new Set([DIGESTS, PUBLISHED.manifest, PUBLISHED.signature])
/** The lock of a build that is being written; where what was signed is checked, it is a file like any other. */
const BUILDING = /^\.svc-building(?:\.next)?$/u

/** Path in the folder -> lower-case hex SHA-256 of the file; undefined for what is no plain file. */
type Found = ReadonlyMap<string, string | undefined>

/** The bytes of the list of a folder, and its digest, which the manifest states. */
export interface DigestList {
  readonly text: string
  readonly sha256: string
}

export async function digestsOf(folder: string): Promise<DigestList> {
  const found = [...(await filesIn(folder))]
  const files = Object.fromEntries(found.filter(([path, sum]) => sum !== undefined && !BUILDING.test(path)))
  const text = `${canonicalText({ files })}\n`
  return { text, sha256: sha256Hex(text) }
}

/**
 * Full sentences for what differs from the list that the manifest states: a file that was changed, added or taken away.
 * `except` are files that the caller cannot judge.
 */
export async function distTrouble(
  folder: string,
  stated: string,
  except: readonly string[],
): Promise<readonly string[]> {
  const bytes = await readFile(join(folder, DIGESTS)).catch(() => undefined)
  if (bytes === undefined) return [`There is no ${join(folder, DIGESTS)}, whose digest the manifest states.`]
  const listed = sha256Hex(bytes) === stated ? listedIn(bytes) : undefined
  if (listed === undefined) return [`${join(folder, DIGESTS)} is not the list whose digest the manifest states.`]
  const found = await filesIn(folder)
  const paths = [...new Set([...listed.keys(), ...found.keys()])].filter((path) => !except.includes(path)).sort()
  return paths.flatMap((path) => differenceAt(join(folder, path), listed.get(path), found.has(path), found.get(path)))
}

function differenceAt(
  path: string,
  listed: string | undefined,
  isThere: boolean,
  sum: string | undefined,
): readonly string[] {
  if (listed === undefined) return [`${path} is not in the signed list of files.`]
  if (!isThere) return [`${path} is missing.`]
  return sum === listed ? [] : [`${path} was changed after it was signed.`]
}

function listedIn(bytes: Uint8Array): ReadonlyMap<string, string> | undefined {
  const json = parseStrictJson(bytes)
  const files = json.ok && isRecord(json.value) ? json.value['files'] : undefined
  return isRecord(files) ? new Map(Object.entries(files).map(([path, sum]) => [path, String(sum)])) : undefined
}

async function filesIn(folder: string, under = ''): Promise<Found> {
  const found = new Map<string, string | undefined>()
  for (const entry of await readdir(join(folder, under), { withFileTypes: true })) {
    const path = `${under}${entry.name}`
    if (BESIDE.has(path)) continue
    if (entry.isDirectory()) for (const [inner, sum] of await filesIn(folder, `${path}/`)) found.set(inner, sum)
    else found.set(path, entry.isFile() ? sha256Hex(await readFile(join(folder, path))) : undefined)
  }
  return found
}
