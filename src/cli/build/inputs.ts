import { check } from '../../compiler/check.js'
import type { Diagnostic, Source } from '../../compiler/diagnostics.js'
import { emit, type Emission } from '../../compiler/emit.js'
import type { PackageFacts } from '../../compiler/plan/plan-service.js'
import type { Remember } from '../../compiler/plan/memo.js'
import { textReport } from '../../compiler/report/text.js'
import type { Manifest } from '../../protocol/manifest.js'
import type { Target } from '../../compiler/targets/target.js'
import { CliError, EXIT } from '../shared/errors/cli-error.js'
import type { BuildSettings } from '../config/build-settings.js'
import { wantsColor } from '../validate/color.js'
import { schemaJudge } from '../validate/schema-judge.js'
import { readManifest } from '../validate/read-manifest.js'

export interface CheckedProject {
  readonly manifest: Manifest
  readonly sources: readonly Source[]
}

/** Options for checking a manifest. */
interface Checking {
  readonly severities?: BuildSettings['checks']['severities']
  readonly checker?: typeof check
  /** Stream for errors; standard output unless that carries data. */
  readonly errorsTo?: NodeJS.WriteStream
}

/** The valid manifest of a project. Prints its errors and throws when there are any: then nothing is written. */
export async function checkedManifest(
  file: string,
  now: number,
  { severities = {}, checker = check, errorsTo = process.stdout }: Checking = {},
): Promise<CheckedProject> {
  const { sources, includeProblems } = await readManifest(file)
  // What is no error is not shown here: lints that are not errors are not asked.
  const { diagnostics, manifest } = checker(sources, {
    preset: 'minimal',
    severities: errorsOf(severities),
    now,
    includeProblems,
    judge: schemaJudge(),
  })
  if (manifest !== undefined) return { manifest, sources }
  const errors = diagnostics.filter(isError)
  errorsTo.write(textReport({ sources, diagnostics: errors }, { color: wantsColor(undefined), summaryOnly: false }))
  throw new CliError(`${file} has errors. Nothing was written; fix them and run svc build again.`, EXIT.findings)
}

const errorsOf = (severities: NonNullable<BuildSettings['checks']['severities']>) =>
  Object.fromEntries(Object.entries(severities).filter(([, severity]) => severity === 'error'))

const isError = ({ severity }: Diagnostic): boolean => severity === 'error'

/** Generates the files of a manifest. Throws if names collide. */
export function emitted(
  manifest: Manifest,
  generator: string,
  remember: Remember,
  targets: readonly Target[],
  facts: PackageFacts,
): Emission {
  const emission = emit(manifest, { generator, targets, remember, ...facts })
  const [problem, ...more] = emission.problems.map(({ message }) => message)
  if (problem === undefined && isPublishable(manifest, remember)) return emission
  if (problem === undefined) throw new CliError(UNPUBLISHABLE, EXIT.findings)
  throw new CliError([problem, ...more.map((each) => `     ${each}`)], EXIT.findings)
}

/**
 * Half of a surrogate pair is no text: it has no canonical form, so nothing can be signed (RFC 8785, section 3.2.2.2).
 */
const isPublishable = ({ capabilities, ...rest }: Manifest, remember: Remember): boolean =>
  isText(rest) &&
  Object.entries(capabilities).every(
    ([name, capability]) => isText(name) && remember(`text ${name}`, [capability], () => isText(capability)),
  )

function isText(value: unknown): boolean {
  const text = JSON.stringify(value)
  return !text.includes('\\ud') || !LONE_SURROGATE.test(text)
}

/** As JSON escapes it; a backslash that is itself escaped stands before nothing. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/u

const UNPUBLISHABLE =
  'The manifest holds half of a surrogate pair, as in "\\ud800". It has no canonical form and cannot be signed; ' +
  'remove it.'
