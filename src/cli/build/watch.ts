import { watch as watchFiles } from 'chokidar'
import { relative, resolve } from 'node:path'
import { CliError } from '../shared/errors/cli-error.js'
import { buildSettings } from '../config/build-settings.js'
import { DEV_FOLDER } from '../shared/files/dev-folder.js'
import { newBuildMemory } from './memory.js'
import { watcherFailure } from '../shared/files/failure-of-watcher.js'
import { serviceSetting } from '../shared/files/service-setting.js'
import { build } from './run.js'
import { checkTypes, typeErrorsText } from './type-errors.js'
import { printable } from '../shared/output/printable.js'
import { printableError } from '../shared/output/report-error.js'
import { say } from '../shared/output/say.js'

/** Editors save in several steps; what they do within this time is one change. */
const SETTLE_MS = 40

/** Files that a build reads, JSON schemas included; not its outputs, logs or data. */
const INPUT = /(?<![\\/]svc\.lock)\.(?:[cm]?[jt]s|ya?ml|json)$/u
/** Folders that hold no input of ours; what `svc dev` writes after a build must not ask for the next. */
const NOT_INPUTS = ['.git', DEV_FOLDER, 'data', 'node_modules']

/**
 * Builds at each change, until the process ends. After an error the last good build stands. Throws what keeps the
 * folder from being watched.
 */
export async function watchAndBuild(root: string, afterBuild: () => Promise<void>): Promise<never> {
  const memory = newBuildMemory()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  const checkAgain = typesAgain(root)
  const buildAgain = async (): Promise<void> => {
    const isBuilt = await succeeds(async () => {
      await build(root, { check: false, force: false, isDraft: true, memory })
      await afterBuild()
    })
    if (isBuilt) checkAgain.start()
  }
  const rebuild = (): void => {
    checkAgain.stop()
    running = running.then(buildAgain)
  }
  const { folders } = await buildSettings(root)
  const notInputs = [...NOT_INPUTS, folders.dist, folders.generated, ...foldersOfService(root)]
  const ignored = (path: string): boolean => {
    const name = nameIn(root, path)
    return notInputs.some((folder) => name === folder || name.startsWith(`${folder}/`))
  }
  const watcher = watchFiles(root, { ignoreInitial: true, ignored, ignorePermissionErrors: true })
  watcher.on('all', (_, path) => {
    if (!INPUT.test(path)) return
    clearTimeout(timer)
    timer = setTimeout(rebuild, SETTLE_MS)
  })
  // An edit that follows the first build at once must not be missed.
  watcher.once('ready', rebuild)
  return watcherFailure(watcher)
}

/** Checks the types of the code beside what is served: an error is said and stops nothing. */
function typesAgain(root: string) {
  let [checking, wereWrong] = [new AbortController(), false]
  const check = async (signal: AbortSignal): Promise<void> => {
    const types = await checkTypes(root, signal).catch(() => undefined)
    if (types === undefined || signal.aborted || 'unchecked' in types) return
    const { errors } = types
    if (errors.length > 0)
      say(`${typeErrorsText(errors)}\nthe types of your code have errors; what was built is served`)
    else if (wereWrong) say('the types of your code are right again')
    wereWrong = errors.length > 0
  }
  const start = (): void => {
    checking.abort()
    checking = new AbortController()
    void check(checking.signal)
  }
  return { start, stop: () => checking.abort() }
}

/** Returns the folders where the running service keeps its keys and its checkpoint memory as JSON. */
function foldersOfService(root: string): readonly string[] {
  const folders = [serviceSetting(root, 'SVC_KEYS') ?? 'keys', serviceSetting(root, 'SVC_STATE_DIR') ?? '']
  return folders.map((folder) => nameIn(root, resolve(root, folder))).filter((name) => name !== '')
}

const nameIn = (root: string, path: string): string => relative(root, path).replaceAll('\\', '/')

async function succeeds(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    say(error instanceof CliError ? `svc: ${printableError(error)}` : `svc: ${printable(String(error))}`)
    say('waiting for the next change; the last good build stands')
    return false
  }
}
