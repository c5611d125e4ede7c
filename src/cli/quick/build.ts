import { resolve } from 'node:path'
import { EXIT, type ExitCode } from '../cli-error.js'
import { build } from '../build/run.js'
import { isDone } from '../build/unchanged.js'
import { reportError } from '../report-error.js'

/** `svc build [dir] [--no-bundle]`: the same as through the parser of options, without it. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  const root = resolve(args.find((arg) => arg !== NO_BUNDLE) ?? '.')
  try {
    if (await isDone(root)) return EXIT.ok
    return await build(root, { check: false, force: false, bundle: !args.includes(NO_BUNDLE) })
  } catch (error) {
    return reportError(error)
  }
}

const NO_BUNDLE = '--no-bundle'
