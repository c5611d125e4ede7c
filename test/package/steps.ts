import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expressionValue, type Scope } from './expression.js'
import { onTestFinished } from 'vitest'

/** A step of a workflow or of an action. */
export interface Step {
  readonly name?: string
  readonly run?: string
  readonly shell?: string
  readonly uses?: string
  readonly if?: string
  readonly env?: { readonly [name: string]: string }
  readonly 'working-directory'?: string
}

/** What the steps of one run are about. */
export interface Run {
  /** The root of the repository. */
  readonly workspace: string
  readonly event: 'push' | 'pull_request'
  readonly inputs: { readonly [name: string]: string }
}

export interface Done {
  /** The exit code of each step that ran, by its name or its first line. */
  readonly steps: { readonly [name: string]: number }
  readonly stdout: string
  readonly stderr: string
  readonly summary: string
  /** A file that a step wrote to `RUNNER_TEMP`. */
  readonly file: (name: string) => string
}

/** Runs the `run:` steps as a runner of GitHub does: by its bash, with its files, until one fails. */
export function runSteps(steps: readonly Step[], { workspace, event, inputs }: Run): Done {
  const temp = mkdtempSync(join(tmpdir(), 'svc-runner-'))
  onTestFinished(() => rmSync(temp, { recursive: true, force: true, maxRetries: 20 }))
  const github = { event_name: event, base_ref: event === 'pull_request' ? 'main' : '' }
  const files = { GITHUB_OUTPUT: join(temp, 'output'), GITHUB_STEP_SUMMARY: join(temp, 'summary.md') }
  for (const path of Object.values(files)) writeFileSync(path, '')
  const env = {
    PATH: process.env['PATH'],
    HOME: temp,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: resolve('.'),
    GITHUB_WORKSPACE: workspace,
    GITHUB_EVENT_NAME: event,
    GITHUB_BASE_REF: github.base_ref,
    RUNNER_TEMP: temp,
    ...files,
  }
  const done: { [name: string]: number } = {}
  let [stdout, stderr] = ['', '']
  for (const step of steps) {
    const isFine = Object.values(done).every((code) => code === 0)
    const scope = { github, inputs, runner: { temp } }
    if (step.run === undefined || !isWanted(step.if, isFine, scope)) continue
    const path = join(temp, 'step.sh')
    writeFileSync(path, step.run)
    const own = Object.entries(step.env ?? {}).map(([name, text]) => [name, filled(text, scope)])
    const { status, ...said } = spawnSync(
      'bash',
      step.shell === 'bash' ? ['--noprofile', '--norc', '-eo', 'pipefail', path] : ['-e', path],
      {
        cwd: resolve(workspace, filled(step['working-directory'] ?? '.', scope)),
        env: { ...env, ...Object.fromEntries(own) },
        encoding: 'utf8',
      },
    )
    done[step.name ?? step.run.split('\n', 1)[0]!] = status ?? -1
    stdout += said.stdout
    stderr += said.stderr
  }
  return {
    steps: done,
    stdout,
    stderr,
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
    file: (name) => readFileSync(join(temp, name), 'utf8'),
  }
}

/** Without `always()`, a step runs as long as none has failed. */
const isWanted = (condition: string | undefined, isFine: boolean, scope: Scope): boolean =>
  condition === undefined
    ? isFine
    : (condition.includes('always()') || isFine) && expressionValue(condition, scope) === true

const filled = (text: string, scope: Scope): string =>
  text.replaceAll(/\$\{\{(.+?)\}\}/gu, (_, expression: string) => String(expressionValue(expression, scope)))
