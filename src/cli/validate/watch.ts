import { watch as watchFiles } from 'chokidar'
import { EXIT, type ExitCode } from '../cli-error.js'
import { wantsColor } from './color.js'
import type { ValidateOptions } from './options.js'
import { readManifest } from './read-manifest.js'
import { render } from './reports.js'
import { checkFiles } from './run.js'

/** Checks now and after each change, until the process is interrupted. */
export async function watch(files: readonly string[], options: ValidateOptions): Promise<ExitCode> {
  const watcher = watchFiles([...(await everyFile(files))], {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: 30, pollInterval: 10 },
  })
  const again = async (): Promise<void> => {
    const run = await checkFiles(files, options)
    const began = options.format === 'text' && process.stdout.isTTY ? '\u001B[2J\u001B[H' : ''
    process.stdout.write(began + (await render(options.format, run, wantsColor(options.color))))
    watcher.add([...(await everyFile(files))])
  }
  await again()
  watcher.on('all', () => void again().catch((error: unknown) => process.stderr.write(`svc: ${String(error)}\n`)))
  await new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  await watcher.close()
  return EXIT.ok
}

/** The manifests and all fragments that they include now. */
async function everyFile(files: readonly string[]): Promise<readonly string[]> {
  const read = await Promise.all(files.map((file) => readManifest(file)))
  return read.flatMap(({ sources }) => sources.map(({ file }) => file))
}
