import { check } from '../../compiler/check.js'
import type { Config } from '../../compiler/config/read-config.js'
import type { Diagnostic, Severity } from '../../compiler/diagnostics.js'
import { serviceOf } from '../../compiler/read/service-of.js'
import type { CheckedRun } from '../../compiler/report/run.js'
import { RULES } from '../../compiler/rules/index.js'
import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import { configOf } from '../config/config-of.js'
import { compare, readBaseline, staleFinding, writeBaseline } from './baseline.js'
import { wantsColor } from './color.js'
import { manifestFiles } from './manifest-files.js'
import { lintsOf, type ValidateOptions } from './options.js'
import { readManifest, type ManifestSources } from './read-manifest.js'
import { outputsOf, render, writeReports, type Output } from './reports.js'

/** The most findings that a person is shown unasked. */
const SHOWN = 100

/** Checks the files, prints what was found, and writes the other reports. */
export async function validate(patterns: readonly string[], asked: ValidateOptions): Promise<ExitCode> {
  refuseNonsense(asked)
  const options = withConfig(asked, await configOf('.'))
  const outputs = outputsOf(options.out)
  const files = await manifestFiles(patterns, options.ignore)
  if (options.watch) return (await import('./watch.js')).watch(files, options, outputs)
  if (options.fix || options.fixDryRun) await (await import('./fix-files.js')).fixFiles(files, options)
  return tell(await checkFiles(files, options), options, outputs)
}

/** Prints what was found, and writes the other reports. */
export async function tell(found: CheckedRun, options: ValidateOptions, outputs: readonly Output[]): Promise<ExitCode> {
  const { print = printByStream } = options
  const run = againstBaseline(found, options)
  await writeReports(outputs, run)
  print(await render(options.format, printed(run, options), wantsColor(options.color)))
  return exitCodeOf(run.diagnostics, options.failOn)
}

const printByStream = (text: string): void => void process.stdout.write(text)

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
  if (now !== undefined && Number.isNaN(Date.parse(now)))
    throw new CliError(`--now \`${now}\` is not a time such as 2026-01-01T00:00:00Z.`)
  const unknown = enable.find((code) => !RULES.some((rule) => rule.code === code))
  if (unknown !== undefined) throw new CliError(`--enable \`${unknown}\` is no rule; \`svc rules\` lists them.`)
  if ((writes || prunes) && baseline === undefined) throw new CliError('Name the baseline file: --baseline <file>.')
}

/** How manifests are looked at: at once, or again and again with a memory. */
export interface Checking {
  readonly check: (file: string) => typeof check
  readonly serviceOf: typeof serviceOf
}

const AT_ONCE: Checking = { check: () => check, serviceOf }

/** Every rule over every file. Several manifests are a workspace: hints from one service to another are checked, too. */
export async function checkFiles(
  files: readonly string[],
  options: ValidateOptions,
  checking: Checking = AT_ONCE,
): Promise<CheckedRun> {
  const now = options.now === undefined ? Date.now() : Date.parse(options.now)
  const manifests: ManifestSources[] = []
  for (const file of files) manifests.push(await readManifest(file, options.stdinFilename))
  const services = manifests.length > 1 ? servicesOf(manifests, checking) : new Map<string, ReadonlySet<string>>()
  const runs = manifests.map(({ sources, includeProblems }, index) => {
    const { diagnostics } = checking.check(files[index]!)(sources, {
      now,
      includeProblems,
      services,
      ...lintsOf(options),
    })
    return { sources, diagnostics }
  })
  return runs.length === 1
    ? runs[0]!
    : { sources: runs.flatMap((run) => run.sources), diagnostics: runs.flatMap((run) => run.diagnostics) }
}

function servicesOf(
  manifests: readonly ManifestSources[],
  checking: Checking,
): ReadonlyMap<string, ReadonlySet<string>> {
  const services = manifests.flatMap(({ sources }) => checking.serviceOf(sources) ?? [])
  return new Map(services.map(({ id, capabilities }) => [id, capabilities]))
}

function againstBaseline(run: CheckedRun, options: ValidateOptions): CheckedRun {
  const { baseline } = options
  if (baseline === undefined) return run
  if (options.writeBaseline) writeBaseline(baseline, run.diagnostics)
  const { fresh, known, stale } = compare(run.diagnostics, readBaseline(baseline))
  if (options.pruneBaseline) writeBaseline(baseline, known)
  const more = stale > 0 && !options.pruneBaseline ? [staleFinding(baseline, stale)] : []
  return { sources: run.sources, diagnostics: [...fresh, ...more] }
}

function printed({ sources, diagnostics }: CheckedRun, { quiet, maxProblems, format }: ValidateOptions): CheckedRun {
  const limit = maxProblems ?? (format === 'text' ? SHOWN : 0)
  return {
    sources,
    limit,
    diagnostics: quiet ? diagnostics.filter(({ severity }) => severity === 'error') : diagnostics,
  }
}

const WEIGHT: { readonly [severity in Severity]: number } = { error: 0, warning: 1, info: 2 }

/** Counts everything that was found, whatever was printed. */
export function exitCodeOf(diagnostics: readonly Diagnostic[], failOn: Severity): ExitCode {
  if (diagnostics.some(({ code }) => code === 'SVC0012')) return EXIT.internal
  return diagnostics.some(({ severity }) => WEIGHT[severity] <= WEIGHT[failOn]) ? EXIT.findings : EXIT.ok
}
