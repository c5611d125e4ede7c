import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { junitTrouble } from './junit-trouble.js'
import { svc as command } from './command.js'

const repository = mkdtempSync(join(tmpdir(), 'svc-reports-'))
const service = join(repository, 'services/shop')
mkdirSync(join(repository, '.git'))
mkdirSync(service, { recursive: true })
afterAll(() => rmSync(repository, { recursive: true, force: true, maxRetries: 20 }))

const svc = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  command(['validate', ...args], {
    cwd: service,
    env: { ...process.env, NO_COLOR: '1', GITHUB_WORKSPACE: '', CI_PROJECT_DIR: '', ...more },
  })

/** A manifest with so many hints, then warnings, then errors. */
function manifest({ errors = 0, warnings = 0 }): string {
  const inputs = Array.from(
    { length: errors },
    (_, at) => `{ name: a${at}, type: string, required: true, nonsense: 1 }`,
  )
  const reads = Array.from(
    { length: warnings },
    (_, at) => `  read_${at}:
    description: Looks the account number ${at} up by its id, name ${'x'.repeat(at)}.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: []
    inputs: []
    output: { type: account, fields: [account] }
`,
  )
  return `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
${reads.join('')}  lookup:
    description: Looks up all that is known of a customer.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: [${inputs.join(', ')}]
    output: { type: account, fields: [account] }
`
}
const write = (counts: Parameters<typeof manifest>[0]): void =>
  writeFileSync(join(service, 'svc.yaml'), manifest(counts))
const codesIn = (text: string): readonly string[] => [...text.matchAll(/SVC\d{4}/gu)].map(([code]) => code)

describe('findings are worst first, however many are shown', () => {
  it.each([
    ['text', /^svc\.yaml:\S+ (\w+)/gmu],
    ['json', /"severity": "(\w+)"/gu],
    ['sarif', /^ {10}"level": "(\w+)"/gmu],
    ['gitlab', /"severity": "(\w+)"/gu],
    ['github', /^::(\w+) file/gmu],
  ])('%s', async (format, severity) => {
    write({ errors: 2, warnings: 3 })
    const of = async (...more: readonly string[]) =>
      [...(await svc(['--format', format, ...more])).stdout.matchAll(severity)].map(([, word]) => word)
    const all = await of()
    const [error, warning] = [all[0], all[2]]
    expect(all).toEqual([error, error, warning, warning, warning])
    expect(error).not.toBe(warning)
    expect(await of('--max-problems', '1')).toEqual([error])
  })
})

it('GitHub is given the ten of each severity that it shows, and a note of how many there are', async () => {
  write({ errors: 12, warnings: 11 })
  const { stdout } = await svc(['--format', 'github'])
  const lines = stdout.trimEnd().split('\n')
  const count = (word: string): number => lines.filter((line) => line.startsWith(`::${word} file`)).length
  expect([count('error'), count('warning')]).toEqual([10, 10])
  expect(lines.at(-1)).toBe(
    '::notice title=svc validate::4 more findings are not shown here; run svc validate to see all 24.',
  )
})

describe('reports for CI name files from the root of the repository', () => {
  const places = async (format: string, more: readonly string[] = [], variables: NodeJS.ProcessEnv = {}) => {
    write({ errors: 1 })
    const { stdout } = await svc(['--format', format, ...more], variables)
    const found = [...stdout.matchAll(/(?:"uri": "|"path": "|file=|classname="|"file": ")([^",]+)/gu)].map(
      ([, path]) => path!,
    )
    // The path of a finding in JSON is one of names.
    return [...new Set(found)].filter((path) => !path.startsWith('capabilities/'))
  }

  it.each(['sarif', 'gitlab', 'github', 'junit'])('%s', async (format) => {
    expect(await places(format)).toEqual(['services/shop/svc.yaml'])
    expect(await places(format, [], { GITHUB_WORKSPACE: join(repository, 'services') })).toEqual(['shop/svc.yaml'])
    expect(await places(format, [], { CI_PROJECT_DIR: join(repository, 'services') })).toEqual(['shop/svc.yaml'])
    expect(await places(format, ['--relative-to', '.'], { GITHUB_WORKSPACE: repository })).toEqual(['svc.yaml'])
  })

  it('each SARIF run has the category of its command and folder: code scanning takes one run of a category', async () => {
    const category = async (args: readonly string[], env = {}): Promise<unknown> =>
      (
        JSON.parse((await svc(args, env)).stdout) as {
          readonly runs: readonly [{ readonly automationDetails: object }]
        }
      ).runs[0].automationDetails
    expect(await category(['--format', 'sarif'])).toEqual({ id: 'svc-validate/services/shop/' })
    expect(await category(['--format', 'sarif'], { GITHUB_WORKSPACE: service })).toEqual({ id: 'svc-validate/' })
    expect(await category(['--format', 'sarif', '--relative-to', '..'])).toEqual({ id: 'svc-validate/shop/' })
  })

  it('data does so when it is asked to', async () => {
    expect(await places('json')).toEqual(['svc.yaml'])
    expect(await places('json', ['--relative-to', '../..'])).toEqual(['services/shop/svc.yaml'])
  })
})

describe('an input error is an answer in the format that was asked for', () => {
  const MESSAGE = 'there is no file `absent.yaml`.'

  it.each(['json', 'sarif', 'gitlab', 'github', 'junit'])('%s', async (format) => {
    const { status, stdout, stderr } = await svc(['absent.yaml', '--format', format])
    expect({ status, stderr }).toEqual({ status: 2, stderr: `svc: SVC0001 no-input: ${MESSAGE}\n` })
    expect(codesIn(stdout)).toContain('SVC0001')
    expect(stdout).toContain(MESSAGE)
    if (format === 'junit') expect(junitTrouble(stdout)).toEqual([])
    else if (format !== 'github') expect(JSON.parse(stdout)).toBeTypeOf('object')
  })

  it('and in the file that was asked for', async () => {
    expect(await svc(['absent.yaml', '--out', 'json=report.json'])).toMatchObject({ status: 2, stdout: '' })
    const { summary } = JSON.parse(readFileSync(join(service, 'report.json'), 'utf8')) as { readonly summary: object }
    expect(summary).toEqual({ files: 0, errors: 1, warnings: 0, infos: 0 })
  })
})

it('JUnit is given what the schema of its reports allows', async () => {
  write({ errors: 2, warnings: 2 })
  expect(junitTrouble((await svc(['--format', 'junit'])).stdout)).toEqual([])
  expect(
    junitTrouble('<testsuites><testsuite name="a" tests="2"><testcase name="b"/></testsuite></testsuites>'),
  ).toEqual(['testcase lacks classname.', 'testsuites counts wrong.', 'testsuite counts wrong.'])
})

describe('a fix is told with its finding', () => {
  const BAD_LEVEL = manifest({}).replace('level: signed', 'level: Signed')
  const fixIn = async (format: string): Promise<string> => {
    writeFileSync(join(service, 'svc.yaml'), BAD_LEVEL)
    return (await svc(['--format', format])).stdout
  }

  it('in JSON, as edits', async () => {
    const { diagnostics } = JSON.parse(await fixIn('json')) as { readonly diagnostics: readonly object[] }
    expect(diagnostics[0]).toMatchObject({
      path: 'trust/level',
      snippet: 'trust: { level: Signed }',
      fix: [
        {
          file: 'svc.yaml',
          range: { start: { line: 3, column: 17 }, end: { line: 3, column: 23 } },
          new_text: 'signed',
        },
      ],
    })
  })

  it('in SARIF, as changes of the file', async () => {
    const { runs } = JSON.parse(await fixIn('sarif')) as {
      readonly runs: readonly { readonly results: readonly object[] }[]
    }
    expect(runs[0]!.results[0]).toMatchObject({
      fixes: [
        {
          artifactChanges: [
            {
              artifactLocation: { uri: 'services/shop/svc.yaml' },
              replacements: [
                {
                  deletedRegion: { startLine: 3, startColumn: 17, endLine: 3, endColumn: 23 },
                  insertedContent: { text: 'signed' },
                },
              ],
            },
          ],
        },
      ],
    })
  })
})
