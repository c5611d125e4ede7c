import {
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { EmittedFile } from '../../compiler/emitted.js'
import { digest, lockText, readLock, type Lock } from '../shared/locks/lock.js'
import { CliError } from '../shared/errors/cli-error.js'

/** Output folders and the lock that guards them. */
export interface Destination {
  readonly root: string
  /** Folders that are ours, relative to the root, with `/` at the end. */
  readonly folders: readonly string[]
  /** Path of the lock, relative to the root. */
  readonly lock: string
  readonly generator: string
  /** Outputs of earlier builds that this one neither makes nor removes. */
  readonly keeps?: (path: string) => boolean
  /** Kept by who builds again and again: path -> what it wrote there last. */
  readonly stood?: Map<string, Standing>
}

/** A path that holds bytes which we did not write. */
export interface Conflict {
  readonly path: string
  readonly found: Uint8Array
  /** Text to write; undefined to remove the file. */
  readonly wanted: string | undefined
}

export interface FileChange {
  readonly path: string
  readonly before: Uint8Array | undefined
  readonly after: Uint8Array | undefined
}

/** Planned writes, decided before any file is written. */
export interface WritePlan {
  readonly writes: readonly FileChange[]
  readonly removals: readonly FileChange[]
  readonly conflicts: readonly Conflict[]
  readonly lock: Lock
  /** Digests of what stands at the paths that change, for the journal. */
  readonly replaced: { readonly [path: string]: string }
  readonly previous: Lock | undefined
  /** Beside these a killed build may have left temporary files. */
  readonly touched: readonly string[]
}

/** Compares what is wanted with what is there. Reads only. */
export async function planWrites(
  to: Destination,
  files: readonly EmittedFile[],
  inputs: Lock['inputs'],
): Promise<WritePlan> {
  const previous = readLock(to.root, to.lock)
  const wanted = new Map(files.map(({ path, text }) => [path, text]))
  for (const path of wanted.keys()) assertOurs(to, path)
  const isKept = (path: string): boolean => !wanted.has(path) && to.keeps?.(path) === true
  const known = { ...previous?.replaced, ...previous?.outputs }
  const stale = Object.keys(known).filter((path) => !wanted.has(path) && !isKept(path) && isOurs(to, path))
  const touched = [...wanted.keys(), ...stale]
  const changes = changesOf(to, touched, wanted)
  const isOf = ({ path, sum }: Found): boolean =>
    sum === undefined || [previous?.outputs[path], previous?.replaced?.[path]].includes(sum)
  const kept = Object.entries(previous?.outputs ?? {}).filter(([path]) => isKept(path))
  const fresh = new Map(changes.map(({ path, after }) => [path, after]))
  const made = [...wanted].map(([path, text]) => [path, sumOf(to, path, text, fresh.get(path))] as const)
  const lock: Lock = {
    version: 1,
    generator: to.generator,
    ...(previous?.manifest_keys && { manifest_keys: previous.manifest_keys }),
    inputs,
    outputs: Object.fromEntries([...kept, ...made]),
  }
  const changed = changes.map(({ path, bytes, after }) => ({ path, before: bytes, after }))
  return {
    writes: changed.filter(({ after }) => after !== undefined),
    removals: changed.filter(({ after }) => after === undefined),
    conflicts: changes.flatMap((found) =>
      found.bytes === undefined || isOf(found)
        ? []
        : [{ path: found.path, found: found.bytes, wanted: wanted.get(found.path) }],
    ),
    lock,
    replaced: Object.fromEntries(changes.flatMap(({ path, sum }) => (sum === undefined ? [] : [[path, sum]]))),
    previous,
    touched,
  }
}

/** File on disk that differs from the wanted one; without bytes, there is no file. */
interface Found {
  readonly path: string
  readonly bytes?: Uint8Array
  readonly sum?: string
  /** Wanted content. */
  readonly after: Uint8Array | undefined
}

function changesOf(to: Destination, paths: readonly string[], wanted: ReadonlyMap<string, string>): readonly Found[] {
  const folders = new Set<string>()
  return paths.flatMap((path): readonly Found[] => {
    const text = wanted.get(path)
    const stats = examine(to.root, path, folders)
    if (stats === undefined) return text === undefined ? [] : [{ path, after: Buffer.from(text) }]
    const last = to.stood?.get(path)
    if (last !== undefined && last.text === text && last.stamp === stampOf(stats)) return []
    const bytes = readFileSync(join(to.root, path))
    if (last !== undefined && last.text !== text && Buffer.from(last.text).equals(bytes))
      return [{ path, bytes, sum: last.digest, after: encoded(text) }]
    const after = encoded(text)
    return after?.equals(bytes) ? [] : [{ path, bytes, sum: digest(bytes), after }]
  })
}

const encoded = (text: string | undefined): Buffer | undefined => (text === undefined ? undefined : Buffer.from(text))

/** File that this process wrote, and its stat afterwards: a file whose stat is unchanged is not read again. */
export interface Standing {
  readonly text: string
  readonly digest: string
  readonly stamp: string
}

const stampOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string => `${ino} ${size} ${mtimeMs} ${ctimeMs}`

function sumOf({ stood }: Destination, path: string, text: string, bytes: Uint8Array | undefined): string {
  const last = stood?.get(path)
  return last?.text === text ? last.digest : digest(bytes ?? text)
}

const isOurs = ({ folders }: Destination, path: string): boolean =>
  folders.some((folder) => path.startsWith(folder)) && !path.split('/').includes('..') && !path.includes('\\')

function assertOurs(to: Destination, path: string): void {
  if (!isOurs(to, path)) throw new Error(`${path} is outside ${to.folders.join(' and ')}.`)
}

/** The file at a path, if there is one. Links are refused, on the way and at the end: what they lead to is not ours. */
function examine(root: string, path: string, folders: Set<string>): Stats | undefined {
  const parts = path.split('/')
  for (let length = 1; length <= parts.length; length++) {
    const part = parts.slice(0, length).join('/')
    if (folders.has(part)) continue
    const status = statusOf(join(root, part))
    if (status === undefined) return undefined
    if (status.isSymbolicLink())
      throw new CliError(`${part} is a link. Nothing was written; remove the link and build again.`)
    if (length < parts.length && !status.isDirectory())
      throw new CliError(`${part} is not a folder. Nothing was written; move it away and build again.`)
    if (length === parts.length && !status.isFile())
      throw new CliError(`${part} is not a file. Nothing was written; move it away and build again.`)
    if (length === parts.length) return status
    folders.add(part)
  }
  return undefined
}

const statusOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })

const TEMPORARY = '.svc-tmp'

/** Writes what was planned. A journal in the lock lets the next build go on from wherever this one is killed. */
export async function applyWrites(to: Destination, plan: WritePlan): Promise<void> {
  const final = lockText(plan.lock)
  const idle = plan.writes.length === 0 && plan.removals.length === 0
  const folders = new Set<string>()
  if (!idle) replace(to.root, to.lock, lockText({ ...plan.lock, replaced: plan.replaced }), folders)
  for (const { path, after } of plan.writes) replace(to.root, path, after!, folders)
  for (const { path } of plan.removals) remove(to, path)
  if (!idle || plan.previous === undefined || lockText(plan.previous) !== final)
    replace(to.root, to.lock, final, folders)
}

/** `folders` are those that are there. */
function replace(root: string, path: string, content: string | Uint8Array, folders: Set<string>): void {
  const target = join(root, path)
  makeFolder(dirname(target), folders)
  writeWhole(`${target}${TEMPORARY}`, content)
  renameSync(`${target}${TEMPORARY}`, target)
}

/** A new file; what a full disk let in of it is taken away again. */
function writeWhole(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(path, { force: true })
    throw error
  }
}

function makeFolder(folder: string, folders: Set<string>): void {
  if (folders.has(folder)) return
  mkdirSync(folder, { recursive: true })
  folders.add(folder)
}

/** Remembers what now stands where this process wants it. */
export function noteStanding({ root, stood }: Destination, files: readonly EmittedFile[], { lock }: WritePlan): void {
  if (stood === undefined) return
  const wanted = new Map(files.map(({ path, text }) => [path, text]))
  for (const path of stood.keys()) if (!wanted.has(path)) stood.delete(path)
  for (const [path, text] of wanted) {
    const stats = statusOf(join(root, path))
    if (stats !== undefined) stood.set(path, { text, digest: lock.outputs[path] ?? '', stamp: stampOf(stats) })
  }
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
  for (const path of [lock, ...touched]) {
    const temporary = join(root, `${path}${TEMPORARY}`)
    // To look first is much cheaper than to be told that there is nothing to remove.
    if (statusOf(temporary) !== undefined) rmSync(temporary, { force: true })
  }
}

/** Keeps a copy of what others wrote before it is overwritten; gives the copy's path. */
export async function keepCopy(root: string, { path }: Conflict): Promise<string> {
  for (let number = 1; ; number++) {
    const copy = `${path}.kept-${number}`
    if (isNew(() => copyFileSync(join(root, path), join(root, copy), constants.COPYFILE_EXCL))) return copy
  }
}

/**
 * Creates the files of one folder that their owner will keep, where there is none; gives the paths that were created.
 */
export function createOwned(root: string, folder: string, files: readonly EmittedFile[]): readonly string[] {
  assertInside(root, folder)
  mkdirSync(join(root, folder), { recursive: true })
  const taken = new Set(readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
  const absent = files.filter(({ path }) => !taken.has(path))
  return absent
    .filter(({ path, text }) => isNew(() => writeFileSync(join(root, path), text, { flag: 'wx' })))
    .map(({ path }) => path)
}

/** A folder of the owner's may be a link, but nothing is created where it leads out of the project. */
function assertInside(root: string, folder: string): void {
  const inside = `${realpathSync(root)}${sep}`
  const parts = folder.split('/')
  for (let length = 1; length <= parts.length; length++) {
    const part = parts.slice(0, length).join('/')
    if (statusOf(join(root, part)) === undefined) return
    if (!realpathSync(join(root, part)).startsWith(inside))
      throw new CliError(`${part} leads out of the project, so no draft was written there. Make it a folder.`)
  }
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
