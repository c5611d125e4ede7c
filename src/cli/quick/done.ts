import { isDone } from '../generate/unchanged.js'
import { EXIT, type ExitCode } from '../cli-error.js'
import { reportError } from '../report-error.js'
import { rootOf } from './root-of.js'

/** `svc build` where the last build still stands, as most do; undefined where there is something to build. */
export async function run(args: readonly string[]): Promise<ExitCode | undefined> {
  try {
    return (await isDone(rootOf(args))) ? EXIT.ok : undefined
  } catch (error) {
    return reportError(error)
  }
}
