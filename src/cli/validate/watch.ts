import { dirname, normalize } from 'node:path'
import { watch as watchFiles } from 'chokidar'
import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import { CONFIG_FILES } from '../config/config-of.js'
import { watcherFailure } from '../failure-of-watcher.js'
import { checkFiles, type Order } from './check-files.js'
import type { Output } from './reports.js'
import { printReports } from './tell.js'

/** Checks now and after each change of a manifest or of the configuration, until the process is interrupted. */
export async function watchAndCheck(orderNow: () => Promise<Order>, outputs: readonly Output[]): Promise<ExitCode> {
  let order = await orderNow()
  if (order.files.includes('-')) throw new CliError('Standard input cannot be watched; name files.')
  const clear = order.options.format === 'text' && process.stdout.isTTY ? '\u001B[2J\u001B[H' : ''
  const watcher = watchFiles(['.', ...foldersOf(order.files)], {
    ignoreInitial: true,
    depth: 0,
    awaitWriteFinish: { stabilityThreshold: 30, pollInterval: 10 },
  })
  // A configuration that cannot be read is read again at the next event.
  const editions = { there: 0, read: 0 }
  const again = oneAtATime(async () => {
    const { there, read } = editions
    if (there !== read) order = await orderNow()
    editions.read = there
    const { files, options } = order
    const run = await checkFiles(files, options)
    await printReports(run, { ...options, print: (text) => void process.stdout.write(clear + text) }, outputs)
    // An include may bring new folders; a file that is added to one may match an include.
    watcher.add(foldersOf([...files, ...run.sources.map(({ file }) => file)]))
  })
  const failed = watcherFailure(watcher)
  // An edit that follows the first report at once must not be missed.
  await Promise.race([failed, new Promise<void>((resolve) => watcher.once('ready', resolve))])
  watcher.on('all', (_, path) => {
    if (isConfig(path)) editions.there++
    if (isConfig(path) || isManifest(path)) void again()
  })
  await again()
  await Promise.race([failed, new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))])
  await watcher.close()
  return EXIT.ok
}

const isConfig = (path: string): boolean => CONFIG_FILES.some((name) => name === normalize(path))
const foldersOf = (files: readonly string[]): string[] => [...new Set(files.map((file) => dirname(file)))]
const isManifest = (path: string): boolean => /\.ya?ml$/u.test(path)

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
        process.stderr.write(`svc: ${error instanceof Error ? error.message : String(error)}\n`)
      })
    }
    isRunning = false
  }
}
