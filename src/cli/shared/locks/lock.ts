import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CliError } from '../errors/cli-error.js'

/** Record of the files written and their sources. Committed for `generated/`, kept inside `dist/` for `dist/`. */
export interface Lock {
  readonly version: 1
  readonly generator: string
  /** Input file -> SHA-256 of its bytes. */
  readonly inputs: { readonly [file: string]: string }
  /** Output path -> SHA-256 of its bytes. */
  readonly outputs: { readonly [path: string]: string }
  /** Ids of the keys that may sign the manifest; the generated client pins them. `svc keys pin` writes them. */
  readonly manifest_keys?: readonly string[]
  /** While writing: output path -> SHA-256 of what stood there before. Present only after an interrupted build. */
  readonly replaced?: { readonly [path: string]: string }
}

/** The lock of `generated/`, which is committed. */
export const LOCK = 'svc.lock.json'

export const digest = (data: string | Uint8Array): string => hash('sha256', data, 'hex')

/** The lock of a folder; undefined when there is none. */
export function readLock(root: string, name: string): Lock | undefined {
  const text = textOf(join(root, name))
  if (text === undefined) return undefined
  const lock = parsed(text)
  if (isLock(lock)) return lock
  throw new CliError(
    `${name} is not a lock that this version wrote. Restore it from version control, or delete it and run \`svc ` +
      'build --force`.',
  )
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isLock = (value: unknown): value is Lock =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  value.version === 1 &&
  'outputs' in value &&
  isDigests(value.outputs) &&
  'inputs' in value &&
  isDigests(value.inputs) &&
  (!('manifest_keys' in value) || isKeys(value.manifest_keys)) &&
  (!('replaced' in value) || isDigests(value.replaced))

const isDigests = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each === 'string')

const isKeys = (value: unknown): boolean =>
  Array.isArray(value) && value.every((kid) => typeof kid === 'string' && /^[\w-]{43}$/u.test(kid))

/** A lock as text: sorted, so that merges of two branches stay small. */
export function lockText({ version, generator, manifest_keys: keys, inputs, outputs, replaced }: Lock): string {
  const lock = {
    version,
    generator,
    ...(keys !== undefined && keys.length > 0 && { manifest_keys: [...keys].sort() }),
    inputs: sorted(inputs),
    outputs: sorted(outputs),
    ...(replaced && { replaced: sorted(replaced) }),
  }
  return `${JSON.stringify(lock, undefined, 2)}\n`
}

const sorted = (digests: { readonly [name: string]: string }) =>
  Object.fromEntries(
    Object.keys(digests)
      .sort()
      .map((name) => [name, digests[name]]),
  )
