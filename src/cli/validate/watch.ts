import { once } from 'node:events'
import { dirname, normalize, resolve } from 'node:path'
import { watch as watchFiles, type FSWatcher } from 'chokidar'
import { CliError, EXIT, isCliError, type ExitCode } from '../shared/errors/cli-error.js'
import { CONFIG_FILES } from '../config/config-of.js'
import { printError } from '../shared/output/print.js'
import { printable } from '../shared/output/printable.js'
import { printableError } from '../shared/output/report-error.js'
import { watcherFailure } from '../shared/files/failure-of-watcher.js'
import { checkFiles, type Order } from './check-files.js'
import type { Output } from './reports.js'
import { printReports } from './tell.js'

/** Checks now and after each change of a manifest or of the configuration, until the process is interrupted. */
export async function watchAndCheck(orderNow: () => Promise<Order>, outputs: readonly Output[]): Promise<ExitCode> {
  let order = await orderNow()
  if (order.files.includes('-')) throw new CliError('Standard input cannot be watched; name files.')
  const clear = order.options.format === 'text' && process.stdout.isTTY ? '\u001B[2J\u001B[H' : ''
  // A configuration that cannot be read is read again at the next event.
  const editions = { there: 0, read: 0 }
  const again = oneAtATime(async () => {
    const { there, read } = editions
    if (there !== read) order = await orderNow()
    editions.read = there
    const { files, options } = order
    let run = await checkFiles(files, options)
    // An include may bring new folders; a file that is added to one may match an include.
    while (await watched.add(foldersOf([...files, ...run.sources.map(({ file }) => file)])))
      run = await checkFiles(files, options)
    await printReports(run, { ...options, print: (text) => void process.stdout.write(clear + text) }, outputs)
  })
  const written = new Set(outputs.map(({ file }) => resolve(file)))
  const watched = watchedFolders((path) => {
    // A report that is written after a check must not ask for the next.
    if (written.has(resolve(path))) return
    if (isConfig(path)) editions.there++
    if (isConfig(path) || isManifest(path)) void again()
  })
  const interrupted = new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  const checked = watched.add(['.', ...foldersOf(order.files)]).then(again)
  await Promise.race([watched.failed, checked.then(() => interrupted)])
  await watched.close()
  return EXIT.ok
}

/** Folders whose files are watched, each from when it is named: a watcher that is given one again overlooks what appears meanwhile. */
function watchedFolders(changed: (path: string) => void) {
  const names = new Set<string>()
  const watchers: FSWatcher[] = []
  let fail: (reason: unknown) => void
  const failed = new Promise<never>((_, reject) => (fail = reject))
  return {
    /** Never resolves; throws what keeps one of them from being watched. */
    failed,
    /** Resolves once they are watched, and says whether one of them was not before: what changed in it is not known. */
    async add(folders: readonly string[]): Promise<boolean> {
      const fresh = folders.filter((folder) => !names.has(folder))
      if (fresh.length === 0) return false
      for (const folder of fresh) names.add(folder)
      const watcher = watchFiles(fresh, {
        ignoreInitial: true,
        depth: 0,
        awaitWriteFinish: { stabilityThreshold: 30, pollInterval: 10 },
      })
      watchers.push(watcher)
      watcherFailure(watcher).catch(fail)
      await Promise.race([failed, once(watcher, 'ready')])
      watcher.on('all', (_, path) => changed(path))
      return true
    },
    close: () => Promise.all(watchers.map((watcher) => watcher.close())),
  }
}

const isConfig = (path: string): boolean => CONFIG_FILES.some((name) => name === normalize(path))
const foldersOf = (files: readonly string[]): string[] => [...new Set(files.map((file) => dirname(file)))]
/** A manifest, a part of one, or a schema that it refers to. */
const isManifest = (path: string): boolean => /\.(?:ya?ml|json)$/u.test(path)

/**
 * Runs once more afterwards, however often it was asked while it ran. A file that cannot be read now is told, and
 * waited for.
 */
function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let isRunning = false
  let isWanted = false
  return async () => {
    isWanted = true
    if (isRunning) return
    isRunning = true
    while (isWanted) {
      isWanted = false
      await run().catch((error: unknown) => {
        printError(
          `svc: ${isCliError(error) ? printableError(error) : printable(error instanceof Error ? error.message : String(error))}\n`,
        )
      })
    }
    isRunning = false
  }
}
