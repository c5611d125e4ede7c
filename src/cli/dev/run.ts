import { spawn, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digest } from '../build/lock.js'
import { buildSettings } from '../config/build-settings.js'
import { say } from '../build/say.js'
import { watch } from '../build/watch.js'

/** Builds at each change and serves the last good build. */
export function dev(root: string): Promise<never> {
  const restart = server(root)
  return watch(root, restart)
}

/** Starts the server, or starts it again when what it runs has changed. */
function server(root: string): () => Promise<void> {
  let child: ChildProcess | undefined
  let served: string | undefined
  const stop = (): void => void child?.kill('SIGTERM')
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stop()
      process.exit(0)
    })
  return async () => {
    const file = `${(await buildSettings(root)).folders.dist}/server.mjs`
    const code = digest(await readFile(join(root, file)))
    if (code === served && child?.exitCode === null) return
    await ended(child)
    served = code
    child = spawn(process.execPath, ['--enable-source-maps', file], { cwd: root, stdio: 'inherit' })
    child.once('exit', (status) => {
      if (status !== 0 && status !== null) say(`the server ended with ${status}; it starts again at the next change`)
    })
  }
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
}
