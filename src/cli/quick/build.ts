import type { ExitCode } from '../cli-error.js'
import { build } from '../generate/run.js'
import { reportError } from '../report-error.js'
import { NO_BUNDLE, rootOf } from './root-of.js'

/** `svc build [dir] [--no-bundle]` where there is something to build: the same as through the parser of options, without it. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  try {
    return await build(rootOf(args), { check: false, force: false, bundle: !args.includes(NO_BUNDLE) })
  } catch (error) {
    return reportError(error)
  }
}
