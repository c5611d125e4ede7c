import type { Config } from '../../compiler/config/config.js'
import { RULES } from '../../compiler/rules/index.js'
import { fits, formatOf } from '../../compiler/shape/formats.js'
import { CliError, InputError, type ExitCode } from '../shared/errors/cli-error.js'
import { configOf } from '../config/config-of.js'
import { checkFiles, type Order } from './check-files.js'
import { manifestFiles } from './manifest-files.js'
import type { ValidateOptions } from './options.js'
import { outputsOf, type Output } from './reports.js'
import { reportInput, printReports } from './tell.js'

/** Checks the files, prints what was found, and writes the other reports. */
export async function validate(patterns: readonly string[], asked: ValidateOptions): Promise<ExitCode> {
  refuseNonsense(asked)
  const outputs = outputsOf(asked.out)
  try {
    return await checked(patterns, asked, outputs)
  } catch (error) {
    if (error instanceof InputError) await reportInput(error, asked, outputs)
    throw error
  }
}

async function checked(
  patterns: readonly string[],
  asked: ValidateOptions,
  outputs: readonly Output[],
): Promise<ExitCode> {
  const { files, options } = await orderOf(patterns, asked)
  if (options.watch) return (await import('./watch.js')).watchAndCheck(() => orderOf(patterns, asked), outputs)
  if (options.fix || options.fixDryRun) await (await import('./fix-files.js')).fixFiles(files, options)
  return printReports(await checkFiles(files, options), options, outputs)
}

async function orderOf(patterns: readonly string[], asked: ValidateOptions): Promise<Order> {
  const options = withConfig(asked, await configOf('.'))
  return { files: await manifestFiles(patterns, options.ignore), options }
}

/** An option outweighs the configuration. */
const withConfig = (options: ValidateOptions, { validate: config = {} }: Config): ValidateOptions => ({
  ...options,
  preset: options.preset ?? config.preset ?? 'recommended',
  enable: [...options.enable, ...(config.enable ?? [])],
  ...(config.severity === undefined ? {} : { severities: config.severity }),
  ...(config.ignore === undefined ? {} : { ignore: config.ignore }),
})

function refuseNonsense({
  now,
  enable,
  baseline,
  writeBaseline: writes,
  pruneBaseline: prunes,
}: ValidateOptions): void {
  if (now !== undefined && !fits(formatOf('timestamp'), now))
    throw new CliError(`--now \`${now}\` is not an RFC 3339 time such as 2026-01-01T00:00:00Z.`)
  const unknown = enable.find((code) => !RULES.some((rule) => rule.code === code))
  if (unknown !== undefined) throw new CliError(`--enable \`${unknown}\` is no rule; \`svc rules\` lists them.`)
  if ((writes || prunes) && baseline === undefined) throw new CliError('Name the baseline file: --baseline <file>.')
}
