import { dirname } from 'node:path'
import { watch as watchFiles } from 'chokidar'
import { createChecker } from '../../compiler/check.js'
import { serviceOf } from '../../compiler/read/service-of.js'
import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import type { ValidateOptions } from './options.js'
import type { Output } from './reports.js'
import { checkFiles, tell, type Checking } from './run.js'

/** Checks now and after each change, until the process is interrupted. */
export async function watch(
  files: readonly string[],
  options: ValidateOptions,
  outputs: readonly Output[],
): Promise<ExitCode> {
  if (files.includes('-')) throw new CliError('Standard input cannot be watched; name files.')
  const checking = withMemory()
  const clear = options.format === 'text' && process.stdout.isTTY ? '\u001B[2J\u001B[H' : ''
  const watcher = watchFiles(foldersOf(files), {
    ignoreInitial: true,
    depth: 0,
    awaitWriteFinish: { stabilityThreshold: 30, pollInterval: 10 },
  })
  const again = oneAtATime(async () => {
    const run = await checkFiles(files, options, checking)
    await tell(run, { ...options, print: (text) => void process.stdout.write(clear + text) }, outputs)
    // An include may bring new folders; a file that is added to one may match an include.
    watcher.add(foldersOf(run.sources.map(({ file }) => file)))
  })
  // An edit that follows the first report at once must not be missed.
  await new Promise<void>((resolve) => watcher.once('ready', resolve))
  watcher.on('all', (_, path) => void (isManifest(path) && again()))
  await again()
  await new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  await watcher.close()
  return EXIT.ok
}

const foldersOf = (files: readonly string[]): string[] => [...new Set(files.map((file) => dirname(file)))]
const isManifest = (path: string): boolean => /\.ya?ml$/u.test(path)

/** A manifest that is checked again is judged only where it was edited. */
function withMemory(): Checking {
  const checkers = new Map<string, ReturnType<typeof createChecker>>()
  const services = new Map<string, { readonly texts: string; readonly service: ReturnType<typeof serviceOf> }>()
  return {
    check(file) {
      const checker = checkers.get(file) ?? createChecker()
      checkers.set(file, checker)
      return checker
    },
    serviceOf(sources) {
      const file = sources[0]?.file ?? ''
      const texts = sources.map(({ text }) => text).join('\0')
      const known = services.get(file)
      if (known?.texts === texts) return known.service
      const service = serviceOf(sources)
      services.set(file, { texts, service })
      return service
    },
  }
}

/** Runs once more afterwards, however often it was asked while it ran. A file that cannot be read now is told, and waited for. */
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
