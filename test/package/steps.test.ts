import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runSteps, type Done, type Run, type Step } from './steps.js'

const SVC = resolve('bin/svc.cjs')
let parent: string
let origin: string

/** A repository with a service in `trips`, built and committed, as its branch main. */
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'svc-steps-'))
  origin = join(parent, 'origin')
  mkdirSync(origin)
  const trips = join(origin, 'trips')
  expect(spawnSync(process.execPath, [SVC, 'init', trips, '--yes', '--template', 'travel']).status).toBe(0)
  install(trips)
  expect(spawnSync(process.execPath, [SVC, 'build'], { cwd: trips }).status).toBe(0)
  git(origin, 'init', '--quiet', '--initial-branch=main')
  commit(origin)
}, 120_000)
afterAll(() => rmSync(parent, { recursive: true, force: true, maxRetries: 20 }))

/** What `npm ci` does. */
function install(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  symlinkSync(resolve('.'), join(modules, 'svc-kit'), 'junction')
  for (const name of ['@types', 'vitest']) symlinkSync(resolve('node_modules', name), join(modules, name), 'junction')
  symlinkSync(SVC, join(modules, '.bin/svc'))
  for (const name of ['tsc', 'vitest']) symlinkSync(resolve('node_modules/.bin', name), join(modules, '.bin', name))
}

function git(folder: string, ...args: readonly string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@a.example', '-c', 'commit.gpgsign=false']
  const { status, stderr } = spawnSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

function commit(folder: string): void {
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', 'Change')
}

interface Change {
  /** What stands in the manifest -> what the pull request writes there. */
  readonly edits?: readonly (readonly [string, string])[]
  readonly isBuilt?: boolean
  readonly files?: { readonly [path: string]: string }
}

let count = 0
/** A clone with the change committed, as a checkout of a pull request: its base is `origin/main`. */
function pullRequest({ edits = [], isBuilt = true, files = {} }: Change): string {
  const workspace = join(parent, `pull-${count++}`)
  git(parent, 'clone', '--quiet', origin, workspace)
  const trips = join(workspace, 'trips')
  install(trips)
  const path = join(trips, 'svc.yaml')
  let text = readFileSync(path, 'utf8')
  for (const [from, to] of edits) {
    expect(text).toContain(from)
    text = text.replace(from, to)
  }
  writeFileSync(path, text)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(trips, name), content)
  if (isBuilt && edits.length > 0) expect(spawnSync(process.execPath, [SVC, 'build'], { cwd: trips }).status).toBe(0)
  git(workspace, 'switch', '--quiet', '--create', 'change')
  git(workspace, 'add', '--all')
  git(workspace, 'commit', '--quiet', '--allow-empty', '--message', 'Change')
  return workspace
}

/** A clone whose base has no service yet. */
function firstPullRequest(): string {
  const workspace = join(parent, `pull-${count++}`)
  mkdirSync(workspace)
  git(workspace, 'init', '--quiet', '--initial-branch=main')
  git(workspace, 'commit', '--quiet', '--allow-empty', '--message', 'Nothing yet')
  git(workspace, 'update-ref', 'refs/remotes/origin/main', 'HEAD')
  git(workspace, 'switch', '--quiet', '--create', 'change')
  cpSync(join(origin, 'trips'), join(workspace, 'trips'), { recursive: true, verbatimSymlinks: true })
  commit(workspace)
  return workspace
}

const version = (before: string) => `${before}\n    contract_version: `
const BOOK = version('The quote fixes the price; a person approves each booking.')
const WEAKENED = ['minimum_scope: [travel.book]', 'minimum_scope: [travel.search]'] as const
const ADDED = ['state, type: string, description: \'`booked` or `refunded`.\' }', 'state, type: string, description: \'`booked` or `refunded`.\' }\n        - { name: seat, type: string }'] as const // prettier-ignore
const GET = version('Read the state of one booking.')
const BREAKING = ['- { name: flight, type: string }\n        - { name: passengers', '- { name: passengers'] as const
const FAILING = `manifest: ../svc.yaml
tests:
  - name: anybody books
    token: { scope: [travel.search] }
    call: book_flight
    expect: { decision: allowed }
`

interface Inputs {
  readonly [name: string]: { readonly default: string }
}
const action = parse(readFileSync('action.yml', 'utf8')) as {
  readonly inputs: Inputs
  readonly runs: { readonly steps: readonly Step[] }
}
const DEFAULTS = Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default]))

const byAction = (workspace: string, inputs: Run['inputs'] = {}): Done =>
  runSteps(action.runs.steps, { workspace, event: 'pull_request', inputs: { ...DEFAULTS, directory: 'trips', ...inputs } }) // prettier-ignore

/** The scaffolded workflow of the service, whose folder is the repository of its own then. */
function byWorkflow(workspace: string, event: Run['event'] = 'pull_request'): Done {
  const trips = join(workspace, 'trips')
  const { jobs } = parse(readFileSync(join(trips, '.github/workflows/ci.yml'), 'utf8')) as {
    readonly jobs: { readonly check: { readonly steps: readonly Step[] } }
  }
  const steps = jobs.check.steps.filter(({ run }) => run?.startsWith('npm ci') !== true)
  return runSteps(steps.map((step) => ({ ...step, 'working-directory': 'trips' })), { workspace, event, inputs: {} }) // prettier-ignore
}

const FINE = { 'svc validate': 0, 'svc build --check': 0, 'svc test': 0, 'svc diff': 0 }
const MATCHER = { 'Show findings where they stand': 0 }

describe('the steps of the action, run', () => {
  it('pass where nothing has changed, and say so in the summary', () => {
    const done = byAction(pullRequest({}))
    expect(done).toMatchObject({ steps: { ...MATCHER, ...FINE }, stdout: expect.stringContaining('::add-matcher::') })
    expect(done.summary).toMatch(/\S/u)
  })

  it('pass the pull request that adds the service, whatever of it is uploaded', () => {
    const done = byAction(firstPullRequest(), { sarif: 'true' })
    expect([done.steps, done.summary]).toEqual([{ ...MATCHER, ...FINE }, expect.stringContaining('book_flight is new')])
    const runs = ['svc-validate.sarif', 'svc-diff.sarif'].flatMap((name) => (JSON.parse(done.file(name)) as { readonly runs: readonly object[] }).runs) // prettier-ignore
    expect(runs).toMatchObject([
      { automationDetails: { id: 'svc-validate/trips/' } },
      { automationDetails: { id: 'svc-diff/trips/' } },
    ])
  })

  it.each([
    ['weakens governance', { edits: [WEAKENED, [`${BOOK}1.0.0`, `${BOOK}2.0.0`]] }, 1, 'weakened'],
    ['breaks', { edits: [BREAKING, [`${GET}1.0.0`, `${GET}2.0.0`]] }, 1, 'breaking'],
    ['does not say by its version what it adds', { edits: [ADDED] }, 1, 'contract_version'],
    ['says by its version what it adds', { edits: [ADDED, [`${GET}1.0.0`, `${GET}1.1.0`]] }, 0, 'seat'],
  ] as const)('look at a change that %s', (_, change, code, word) => {
    const done = byAction(pullRequest(change))
    expect(done.steps).toEqual({ ...MATCHER, ...FINE, 'svc diff': code, 'svc test': done.steps['svc test'] })
    expect(done.summary).toContain(word)
    expect(/^::error file=trips\/svc\.yaml,/mu.test(done.stdout)).toBe(code === 1)
    expect(JSON.parse(done.file('svc-diff.sarif'))).toMatchObject({ version: '2.1.0' })
  })

  it('fail by no more effects than fail-on names', () => {
    const done = byAction(pullRequest({ edits: [WEAKENED, [`${BOOK}1.0.0`, `${BOOK}2.0.0`]] }), { 'fail-on': 'never' })
    expect([done.steps['svc diff'], done.summary]).toEqual([0, expect.stringContaining('weakened')])
  })

  it('fail where the manifest is wrong, and go on with the rest', () => {
    const done = byAction(pullRequest({ edits: [['{ type: write }', '{ type: wriet }']], isBuilt: false }))
    expect(done.steps).toMatchObject({ 'svc validate': 1, 'svc build --check': 1 })
    expect(JSON.stringify(JSON.parse(done.file('svc-validate.sarif')))).toContain('"trips/svc.yaml"')
  })

  it('fail where what is generated is old, and where a policy test fails', () => {
    const edits = [['Read the state of one booking.', 'Read one booking.']] as const
    const done = byAction(pullRequest({ edits, isBuilt: false, files: { 'test/more.svctest.yaml': FAILING } }))
    expect(done.steps).toMatchObject({ 'svc validate': 0, 'svc build --check': 1, 'svc test': 1 })
  })
})

const DIFF = 'npx svc diff "git:origin/$BASE" --format github'

it('the steps of the scaffolded workflow, run, pass a change but for the approval that it weakens', () => {
  const edits = [['default_grant_type: one_time\n        expires_in_seconds: 900', 'default_grant_type: one_time\n        expires_in_seconds: 9000'], [`${BOOK}1.0.0`, `${BOOK}2.0.0`]] as const // prettier-ignore
  const done = byWorkflow(pullRequest({ edits }))
  expect([done.steps, done.stdout]).toEqual([
    { 'npx svc validate': 0, 'npm test': 0, 'npx svc build --check': 0, 'npm run typecheck': 0, [DIFF]: 1 },
    expect.stringMatching(/^::error file=trips\/svc\.yaml,.*expires_in_seconds/mu),
  ])
})

it('the steps of the scaffolded workflow, run, pass the pull request that adds the service', () => {
  const { steps } = byWorkflow(firstPullRequest())
  expect(steps).toEqual({ 'npx svc validate': 0, 'npm test': 0, 'npx svc build --check': 0, 'npm run typecheck': 0, [DIFF]: 0 }) // prettier-ignore
})

/** The example of docs/guides/ci.md for GitLab. */
const gitlab = parse(/```yaml\n(svc:\n[\s\S]+?)```/u.exec(readFileSync('docs/guides/ci.md', 'utf8'))![1]!) as {
  readonly svc: { readonly script: readonly string[]; readonly artifacts: { readonly reports: object } }
}

it('the commands for GitLab, run in a plain shell, pass the merge request that adds the service, and one that changes nothing', () => {
  const root = 'cd .. && trips/node_modules/.bin/svc diff git:origin/main:trips trips'
  for (const workspace of [firstPullRequest(), pullRequest({})]) {
    const run = `export CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main\n${[...gitlab.svc.script, root].join('\n')}`
    const done = runSteps([{ name: 'shell', run, shell: 'bash' }], { workspace, event: 'push', inputs: {} })
    expect([done.steps, done.stderr]).toEqual([{ shell: 0 }, expect.not.stringContaining('error')])
    const reports = Object.values(gitlab.svc.artifacts.reports).map((path: string) => existsSync(join(workspace, path)))
    expect(reports).toEqual([true, true])
  }
})
