import { lstat, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { distance } from 'fastest-levenshtein'
import type { HandlerPlace } from '../../compiler/emit.js'
import { rewriteFile } from '../shared/files/replace-file.js'

const FOLDER = 'src/handlers'
export const LIST = `${FOLDER}/index.ts`

/** Lists handlers that are not exported and handler files without a capability. */
export async function handlerNotes(root: string, places: readonly HandlerPlace[]): Promise<readonly string[]> {
  const files = await readdir(join(root, FOLDER)).catch(() => [])
  const exported = await exportsOf(root, places)
  const handled = new Set(places.map(({ path }) => basename(path)))
  return [
    ...places.filter(({ identifier }) => !exported.has(identifier)).map(missingNote),
    ...files.filter((file) => isHandlerFile(file) && !handled.has(file)).map((file) => strayNote(file, places)),
  ]
}

/**
 * Adds the line that hands a handler over, for each draft that was just created; nothing else of the list is touched.
 * Gives the capabilities whose line was added.
 */
export async function handOver(
  root: string,
  places: readonly HandlerPlace[],
  created: readonly string[],
): Promise<readonly string[]> {
  if (created.includes(LIST)) return []
  const drafts = places.filter(({ path }) => created.includes(path))
  return (await listHandlers(root, drafts)).map(({ capability }) => capability)
}

type ListedHandler = Pick<HandlerPlace, 'identifier' | 'exportLine'>

/** Adds to the list what it does not export yet; gives what was added. A list that is a link is left as it is. */
export async function listHandlers<Handler extends ListedHandler>(
  root: string,
  handlers: readonly Handler[],
): Promise<readonly Handler[]> {
  if (handlers.length === 0 || !(await isOwnFile(join(root, LIST)))) return []
  const exported = await exportsOf(root, handlers)
  const missing = handlers.filter(({ identifier }) => !exported.has(identifier))
  if (missing.length === 0) return []
  const { withExports } = await import('../bundle/user-code.js')
  const lines = missing.map(({ exportLine }) => exportLine)
  await rewriteFile(join(root, LIST), withExports(join(root, LIST), lines))
  return missing
}

/** A link may lead out of the project: what it leads to is left as it is. */
const isOwnFile = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined))?.isFile() === true

const missingNote = ({ capability, exportLine }: HandlerPlace): string =>
  `${capability} has a handler that is not handed over. Add to ${LIST}:\n       ${exportLine}`

const isHandlerFile = (file: string): boolean =>
  file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'index.ts'

function strayNote(file: string, places: readonly HandlerPlace[]): string {
  const name = file.slice(0, -'.ts'.length)
  const nearest = nearestTo(name, places)
  const hint = nearest === undefined ? '' : ` The nearest capability is ${nearest}.`
  return `${FOLDER}/${file} has no capability ${name}.${hint} It was left as it is.`
}

function nearestTo(name: string, places: readonly HandlerPlace[]): string | undefined {
  const [nearest] = places
    .map(({ capability }) => ({ capability, edits: distance(name, capability) }))
    .sort((a, b) => a.edits - b.edits)
  return nearest !== undefined && nearest.edits <= Math.max(3, name.length / 2) ? nearest.capability : undefined
}

/** The names that the list exports. The author's code is parsed only when a plain look does not find every handler. */
async function exportsOf(root: string, handlers: readonly ListedHandler[]): Promise<ReadonlySet<string>> {
  const list = await readFile(join(root, LIST), 'utf8').catch(() => '')
  const lines = new Set(list.split(/\r?\n/u).map((line) => line.trim().replace(/;$/u, '')))
  if (handlers.every(({ exportLine }) => lines.has(exportLine)))
    return new Set(handlers.map(({ identifier }) => identifier))
  const { exportedNames } = await import('../bundle/user-code.js')
  return exportedNames(join(root, LIST))
}
