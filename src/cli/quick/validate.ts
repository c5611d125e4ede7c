import type { ExitCode } from '../cli-error.js'
import { print } from '../print.js'
import { reportError } from '../report-error.js'
import { PLAINLY } from '../validate/options.js'
import { validate } from '../validate/run.js'

/** `svc validate [files...]` without an option, as most runs are: the same as through the parser of options, without it. */
export async function run(files: readonly string[]): Promise<ExitCode> {
  try {
    return await validate(files, { ...PLAINLY, print })
  } catch (error) {
    return reportError(error)
  }
}
