import {
  closeSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { EmittedFile } from '../compiler/emitted.js'
import { digest, lockText, readLock, type Lock } from './build/lock.js'
import { CliError } from './cli-error.js'

/** Where outputs go, and which lock guards them. */
export interface Destination {
  readonly root: string
  /** Folders that are ours, relative to the root, with `/` at the end. */
  readonly folders: readonly string[]
  /** Path of the lock, relative to the root. */
  readonly lock: string
  readonly generator: string
  /** Outputs of earlier builds that this one neither makes nor removes. */
  readonly keeps?: (path: string) => boolean
}

/** A path that holds bytes which we did not write. */
export interface Conflict {
  readonly path: string
  readonly found: Uint8Array
  /** What would be written; undefined when it would be removed. */
  readonly wanted: string | undefined
}

export interface Change {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** What would be written; decided before anything is. */
export interface WritePlan {
  readonly writes: readonly Change[]
  readonly removals: readonly Change[]
  readonly conflicts: readonly Conflict[]
  readonly lock: Lock
  /** Digests of what stands at the paths that change, for the journal. */
  readonly replaced: { readonly [path: string]: string }
  readonly lockText: string | undefined
  /** Beside these a killed build may have left temporary files. */
  readonly touched: readonly string[]
}

/** Compares what is wanted with what is there. Reads only. */
export async function planWrites(
  to: Destination,
  files: readonly EmittedFile[],
  inputs: Lock['inputs'],
): Promise<WritePlan> {
  const previous = await readLock(to.root, to.lock)
  const wanted = new Map(files.map(({ path, text }) => [path, text]))
  for (const path of wanted.keys()) assertOurs(to, path)
  const isKept = (path: string): boolean => !wanted.has(path) && to.keeps?.(path) === true
  const known = { ...previous?.replaced, ...previous?.outputs }
  const stale = Object.keys(known).filter((path) => !wanted.has(path) && !isKept(path) && isOurs(to, path))
  const folders = new Set<string>()
  const found = [...wanted.keys(), ...stale].map((path) => examine(to.root, path, folders))
  const changes = found.filter(({ path, bytes }) =>
    bytes === undefined ? wanted.has(path) : !isSame(bytes, wanted.get(path)),
  )
  const ours = (path: string, bytes: Uint8Array | undefined): boolean =>
    bytes === undefined || [previous?.outputs[path], previous?.replaced?.[path]].includes(digest(bytes))
  const changed = changes.map(({ path, bytes }) => ({ path, before: bytes && text(bytes), after: wanted.get(path) }))
  const kept = Object.entries(previous?.outputs ?? {}).filter(([path]) => isKept(path))
  const outputs = Object.fromEntries([
    ...kept,
    ...[...wanted].map(([path, content]) => [path, digest(content)] as const),
  ])
  const lock: Lock = { version: 1, generator: to.generator, inputs, outputs }
  return {
    writes: changed.filter(({ after }) => after !== undefined),
    removals: changed.filter(({ after }) => after === undefined),
    conflicts: changes.flatMap(({ path, bytes }) =>
      bytes === undefined || ours(path, bytes) ? [] : [{ path, found: bytes, wanted: wanted.get(path) }],
    ),
    lock,
    replaced: Object.fromEntries(
      changes.flatMap(({ path, bytes }) => (bytes === undefined ? [] : [[path, digest(bytes)]])),
    ),
    lockText: previous === undefined ? undefined : lockText(previous),
    touched: [...wanted.keys(), ...stale],
  }
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const isSame = (bytes: Uint8Array, wanted: string | undefined): boolean =>
  wanted !== undefined && Buffer.from(wanted).equals(bytes)

const isOurs = ({ folders }: Destination, path: string): boolean =>
  folders.some((folder) => path.startsWith(folder)) && !path.split('/').includes('..') && !path.includes('\\')

function assertOurs(to: Destination, path: string): void {
  if (!isOurs(to, path)) throw new Error(`${path} is outside ${to.folders.join(' and ')}.`)
}

/** The bytes at a path. Links are refused, on the way and at the end: what they lead to is not ours. */
function examine(root: string, path: string, folders: Set<string>) {
  const parts = path.split('/')
  for (let length = 1; length <= parts.length; length++) {
    const part = parts.slice(0, length).join('/')
    if (folders.has(part)) continue
    const status = statusOf(join(root, part))
    if (status === undefined) return { path, bytes: undefined }
    if (status.isSymbolicLink())
      throw new CliError(`${part} is a link. Nothing was written; remove the link and build again.`)
    if (length < parts.length && !status.isDirectory())
      throw new CliError(`${part} is not a folder. Nothing was written; move it away and build again.`)
    if (length === parts.length && !status.isFile())
      throw new CliError(`${part} is not a file. Nothing was written; move it away and build again.`)
    if (status.isDirectory()) folders.add(part)
  }
  return { path, bytes: readFileSync(join(root, path)) }
}

function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const TEMPORARY = '.svc-tmp'

/** Writes what was planned. A journal in the lock lets the next build go on from wherever this one is killed. */
export async function applyWrites(to: Destination, plan: WritePlan): Promise<void> {
  const final = lockText(plan.lock)
  const idle = plan.writes.length === 0 && plan.removals.length === 0
  if (!idle) replace(to.root, to.lock, lockText({ ...plan.lock, replaced: plan.replaced }))
  for (const { path, after } of plan.writes) replace(to.root, path, after ?? '')
  for (const { path } of plan.removals) remove(to, path)
  if (!idle || plan.lockText !== final) replace(to.root, to.lock, final)
}

function replace(root: string, path: string, content: string): void {
  const target = join(root, path)
  mkdirSync(dirname(target), { recursive: true })
  rmSync(`${target}${TEMPORARY}`, { force: true })
  writeFileSync(`${target}${TEMPORARY}`, content, { flag: 'wx' })
  renameSync(`${target}${TEMPORARY}`, target)
}

function remove({ root, folders }: Destination, path: string): void {
  rmSync(join(root, path), { force: true })
  for (let folder = dirname(path); isInside(folder, folders); folder = dirname(folder)) {
    if (!isEmptied(join(root, folder))) return
  }
}

function isEmptied(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}

const isInside = (folder: string, folders: readonly string[]): boolean =>
  folders.some((each) => folder.startsWith(each))

/** Removes temporary files of a build that was killed: each stands beside a path of the lock. */
export async function sweep({ root, lock }: Destination, { touched }: WritePlan): Promise<void> {
  for (const path of [lock, ...touched]) rmSync(join(root, `${path}${TEMPORARY}`), { force: true })
}

/** Keeps a copy of what others wrote before it is overwritten; gives the copy's path. */
export async function keepCopy(root: string, { path }: Conflict): Promise<string> {
  for (let number = 1; ; number++) {
    const copy = `${path}.kept-${number}`
    if (isNew(() => copyFileSync(join(root, path), join(root, copy), constants.COPYFILE_EXCL))) return copy
  }
}

/** Creates a file that its owner will keep; false when there is one already. */
export async function createOwned(root: string, path: string, content: string): Promise<boolean> {
  const target = join(root, path)
  mkdirSync(dirname(target), { recursive: true })
  return isNew(() => {
    const file = openSync(target, 'wx')
    try {
      writeFileSync(file, content)
    } finally {
      closeSync(file)
    }
  })
}

/** False when the place is taken. */
function isNew(create: () => void): boolean {
  try {
    create()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
