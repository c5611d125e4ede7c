import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { EmittedFile } from '../../compiler/emitted.js'
import { lineStarts, positionAt } from '../../compiler/parse/sources.js'
import { nearest, question } from '../../compiler/nearest.js'
import type { Target } from '../../compiler/targets/target.js'
import { CliError } from '../shared/errors/cli-error.js'

/** The targets that a project adds. Its code runs here, and nowhere else. */
export async function ownTargets(root: string, name: string): Promise<readonly Target[]> {
  const loaded = await loadedFrom(root, name)
  const config = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined
  if (typeof config !== 'object' || config === null)
    throw new CliError(`SVC0004 bad-config: ${name} exports no object; write \`export default { targets: [] }\`.`)
  for (const key of Object.keys(config)) if (key !== 'targets') throw unknownKey(root, name, key)
  const targets: unknown = 'targets' in config ? config.targets : []
  if (!Array.isArray(targets) || !targets.every(isTarget))
    throw new CliError(`SVC0004 bad-config: \`targets\` of ${name} is no list of functions.`)
  return targets.map((target, index) => guarded(target, `target ${index + 1} of ${name}`))
}

async function loadedFrom(root: string, name: string): Promise<unknown> {
  const { promise: never, reject } = withReject()
  // Node ends without a word when nothing is left to do while something is still waited for.
  const onNothingLeft = (): void => reject(new Error('it waits for what never comes.'))
  process.once('beforeExit', onNothingLeft)
  try {
    return await Promise.race([import(pathToFileURL(join(root, name)).href), never])
  } catch (error) {
    throw new CliError(`SVC0004 bad-config: ${name} cannot be loaded: ${textOf(error)}`)
  } finally {
    process.off('beforeExit', onNothingLeft)
  }
}

function withReject(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<never>((_, rejects) => (reject = rejects))
  return { promise, reject }
}

const isTarget = (value: unknown): value is Target => typeof value === 'function'
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function unknownKey(root: string, name: string, key: string): CliError {
  const text = readFileSync(join(root, name), 'utf8')
  const offset = Math.max(0, text.search(new RegExp(`\\b${key.replaceAll(/\W/gu, '\\$&')}\\b["']?\\s*:`, 'u')))
  const { line, column } = positionAt(lineStarts(text), offset)
  const hint =
    key === 'validate' || key === 'build' ? ' It belongs into svc.config.yaml.' : question(nearest(key, ['targets']))
  return new CliError(`SVC0004 bad-config: ${name}:${line}:${column} unknown key \`${key}\`.${hint}`)
}

/** Validates the output of another author's target: its paths, and that it is text. */
const guarded =
  (target: Target, name: string): Target =>
  (plan) => {
    const files = filesOf(() => target(plan), name)
    if (files === undefined) throw new CliError(`The ${name} gives no list of files.`)
    return files.map((file) => {
      if (!isFile(file)) throw new CliError(`The ${name} gives a file without \`path\`, \`text\` or \`ownership\`.`)
      if (!isInside(file))
        throw new CliError(`The ${name} would write ${file.path}; generated files go below generated/ or dist/.`)
      if (file.ownership === 'generated' && OF_THE_BUILD.test(file.path))
        throw new CliError(`The ${name} would write ${file.path}, which the build itself writes; choose another name.`)
      return file
    })
  }

/** Copies of what is given, so that what is looked at is what is written; undefined for no list. */
function filesOf(made: () => unknown, name: string): readonly unknown[] | undefined {
  try {
    const files = made()
    return Array.isArray(files) ? files.map((file: unknown) => ({ ...Object(file) }) as unknown) : undefined
  } catch (error) {
    throw new CliError(`The ${name} failed: ${textOf(error)}`)
  }
}

/** Outputs that no target makes: the bundles and the signed documents. */
const OF_THE_BUILD =
  /^dist\/(?:client\/|python\/|(?:server\.mjs|discovery\.json|manifest\.json|manifest\.jws|jwks\.json)$)/iu

const isFile = (file: unknown): file is EmittedFile =>
  typeof file === 'object' &&
  file !== null &&
  'path' in file &&
  typeof file.path === 'string' &&
  'text' in file &&
  typeof file.text === 'string' &&
  'ownership' in file &&
  (file.ownership === 'generated' || file.ownership === 'owned')

const isInside = ({ path, ownership }: EmittedFile): boolean =>
  /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/u.test(path) &&
  (ownership === 'owned' || path.startsWith('generated/') || path.startsWith('dist/'))
