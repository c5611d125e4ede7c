import { once } from 'node:events'
import type { FSWatcher } from 'chokidar'

/** Never resolves; throws what keeps a watcher from its work, once it has let go of all files. */
export async function watcherFailure(watcher: FSWatcher): Promise<never> {
  // Those that come after the first say the same.
  watcher.on('error', () => undefined)
  const [error] = (await once(watcher, 'error')) as [unknown]
  await watcher.close()
  throw error
}
