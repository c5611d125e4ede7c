import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Diagnostic } from '../../compiler/diagnostics.js'
import { fingerprintsOf } from '../../compiler/report/fingerprint.js'
import type { CheckedRun } from '../../compiler/report/run.js'
import { ruleOf } from '../../compiler/rules/index.js'
import { CliError } from '../shared/errors/cli-error.js'
import { shellPath } from '../../protocol/shell.js'

interface Entry {
  readonly fingerprint: string
  readonly code: string
  readonly file: string
  readonly path: string
}

/** The findings that a team has accepted for now. A secret never is. */
export function readBaseline(file: string): readonly Entry[] {
  const text = textOf(file)
  try {
    const { version, findings } = JSON.parse(text) as { readonly version?: unknown; readonly findings?: unknown }
    if (version === 1 && Array.isArray(findings) && findings.every(isEntry)) return findings
  } catch {
    // Said below, as for any other content.
  }
  throw new CliError(`\`${file}\` is no baseline; write it anew with --write-baseline.`)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new CliError(
      `There is no baseline \`${file}\`; write one with \`svc validate --baseline ${shellPath(file)} --write-baseline\`.`,
    )
  }
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && 'fingerprint' in value && typeof value.fingerprint === 'string'

export function writeBaseline(file: string, diagnostics: readonly Diagnostic[]): void {
  const kept = diagnostics.filter(({ code }) => !ruleOf(code).secret)
  const prints = fingerprintsOf(kept)
  writeEntries(
    file,
    kept.map(({ code, file: place, path }, index) => ({ fingerprint: prints[index]!, code, file: place, path })),
  )
}

export const writeEntries = (file: string, findings: readonly Entry[]): void =>
  writeFileSync(file, `${JSON.stringify({ version: 1, findings }, null, 2)}\n`)

export interface BaselineComparison {
  readonly fresh: readonly Diagnostic[]
  /** Baseline entries that still occur, or belong to files that were not checked and so cannot be judged. */
  readonly kept: readonly Entry[]
  /** Number of baseline entries that no longer occur. */
  readonly stale: number
}

export function compare({ sources, diagnostics }: CheckedRun, baseline: readonly Entry[]): BaselineComparison {
  const accepted = new Set(baseline.map(({ fingerprint }) => fingerprint))
  const prints = fingerprintsOf(diagnostics)
  const isKnown = (index: number): boolean => accepted.has(prints[index]!) && !ruleOf(diagnostics[index]!.code).secret
  const occurring = new Set(prints.filter((_, index) => isKnown(index)))
  const checked = new Set(sources.map(({ file }) => file))
  const isElsewhere = ({ file }: Entry): boolean => !checked.has(file) && existsSync(file)
  const kept = baseline.filter((entry) => occurring.has(entry.fingerprint) || isElsewhere(entry))
  return {
    fresh: diagnostics.filter((_, index) => !isKnown(index)),
    kept,
    stale: baseline.length - kept.length,
  }
}

/** The finding that a baseline has outlived its findings. */
export function staleFinding(file: string, stale: number): Diagnostic {
  const start = { line: 1, column: 1, offset: 0 }
  const { code, slug, severity } = ruleOf('SVC0009')
  const message =
    'The baseline ' +
    `holds ${stale} ${stale === 1 ? 'finding that no longer occurs' : 'findings that no longer occur'}; run \`svc ` +
    'validate --prune-baseline`.'
  return {
    code,
    slug,
    severity,
    message,
    path: '',
    file,
    range: { start, end: start },
    related: [],
    docs: `docs/reference/rules/${ruleOf(code).slug}.md`,
  }
}
