import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { packageVersion } from '../../src/cli/shared/files/package-root.js'
import { run } from '../../src/cli/main.js'
import { SCHEMA_NAMES, publishedSchemaOf } from '../../src/cli/schema/table.js'
import { readManifest } from '../../src/cli/validate/read-manifest.js'
import { schemaTrouble } from '../schema-trouble.js'

const home = process.cwd()

const GOOD = `# yaml-language-server: $schema=./node_modules/svc-kit/schemas/manifest.schema.json
manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
  lookup:
    description: Looks an account up by its id.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
`
const BAD = GOOD.replace('level: signed', 'level: signd').replace('[crm.read]', '[]').replace('1.0.0', '1.10')

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-validate-'))
  process.chdir(folder)
})
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = 0
  process.chdir(home)
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

async function svc(...argv: readonly string[]) {
  let stdout = ''
  let stderr = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((stdout += String(text)), true))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((stderr += String(text)), true))
  const code = await run(['node', 'svc', ...argv])
  vi.restoreAllMocks()
  return { code, stdout, stderr }
}
const countsOf = (junit: string): readonly string[] =>
  [...junit.matchAll(/<testsuites? name="(.*?)" tests="(\d)" failures="(\d)"/gu)].map((counts) =>
    counts.slice(1).join(' '),
  )
const file = (name: string, text: string): void => writeFileSync(name, text)

/** What GitLab takes: docs.gitlab.com/ci/testing/code_quality, "Code Quality report format". */
const LINE = { type: 'integer', minimum: 1 }
const POSITION = { type: 'object', required: ['line'], properties: { line: LINE, column: LINE } }
const GITLAB = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path'],
        properties: {
          path: { type: 'string', pattern: '^(?![./]*/)' },
          lines: { type: 'object', required: ['begin'], properties: { begin: LINE } },
          positions: { type: 'object', required: ['begin'], properties: { begin: POSITION, end: POSITION } },
        },
        oneOf: [{ required: ['lines'] }, { required: ['positions'] }],
      },
    },
  },
}

describe('svc validate', () => {
  it('finds nothing in a sound manifest', async () => {
    file('svc.yaml', GOOD)
    expect(await svc('validate')).toEqual({ code: 0, stdout: '0 problems in 1 file.\n', stderr: '' })
  })

  it('shows each finding with its place, frame and remedy', async () => {
    file('svc.yaml', BAD)
    expect(await svc('validate')).toEqual({
      code: 1,
      stderr: '',
      stdout: `svc.yaml:4:17 error SVC1101 trust-level [?]
  \`signd\` is not allowed for \`level\`: choose one of declarative, signed, anchored. Did you mean \`signed\`?
  3 | service_identity: { id: crm }
> 4 | trust: { level: signd }
    |                 ^^^^^
  fix
  - trust: { level: signd }
  + trust: { level: signed }

svc.yaml:8:23 error SVC0114 yaml-number-for-string [?]
  \`1.10\` is the number 1.1, where text is expected; write "1.10.0".
  7 |     description: Looks an account up by its id.
> 8 |     contract_version: 1.10
    |                       ^^^^
  fix
  -     contract_version: 1.10
  +     contract_version: "1.10.0"

svc.yaml:10:5 warning SVC2205 scope-empty-on-read
  \`minimum_scope: []\`: every token may read this; require a scope.
   9 |     side_effect: { type: read }
> 10 |     minimum_scope: []
     |     ^^^^^^^^^^^^^

2 errors, 1 warning in 1 file.
[?] 2 fixable with --fix --unsafe-fixes, which writes what was most likely meant.
`,
    })
  })

  it('writes guesses only when it is told to, and counts what it could write', async () => {
    const text = GOOD.replace('level: signed', 'level: signd').replace('type: read', 'type: READ')
    file('svc.yaml', text)
    const { stdout } = await svc('validate')
    expect(stdout).toContain('trust-level [?]\n')
    expect(stdout).toContain('[*]\n  `READ` is spelt `read` here.')
    expect(stdout).toContain('[*] 1 fixable with --fix, [?] 1 more with --unsafe-fixes.\n')
    expect((await svc('validate', '--fix')).code).toBe(1)
    expect(readFileSync('svc.yaml', 'utf8')).toBe(text.replace('READ', 'read'))
    expect((await svc('validate', '--fix', '--unsafe-fixes')).code).toBe(0)
    expect(readFileSync('svc.yaml', 'utf8')).toBe(GOOD)
  })

  it('says in data which fixes are guesses', async () => {
    file('svc.yaml', GOOD.replace('level: signed', 'level: signd').replace('type: read', 'type: READ'))
    const report: unknown = JSON.parse((await svc('validate', '--json')).stdout)
    expect(schemaTrouble(await publishedSchemaOf('diagnostics'), report)).toEqual([])
    expect(report).toMatchObject({
      diagnostics: [
        { fix: [{ new_text: 'signed' }], fix_safety: 'unsafe' },
        { fix: [{ new_text: 'read' }], fix_safety: 'safe' },
      ],
    })
  })

  it('counts findings by rule', async () => {
    file('svc.yaml', BAD)
    expect((await svc('validate', '--statistics')).stdout).toBe(
      '1  SVC0114       error    yaml-number-for-string\n' +
        '1  SVC1101       error    trust-level\n' +
        '1  SVC2205       warning  scope-empty-on-read\n' +
        '2 errors, 1 warning in 1 file.\n',
    )
  })

  it('shows other places with their lines', async () => {
    file('svc.yaml', GOOD.replace('trust: { level: signed }', 'trust: { level: signed, level: anchored }'))
    const { stdout } = await svc('validate')
    expect(stdout).toContain(
      'It stands here first.\n    4 | trust: { level: signed, level: anchored }\n      |          -----\n',
    )
  })

  it('prints findings as data that its schema allows', async () => {
    file('svc.yaml', BAD)
    const { code, stdout } = await svc('validate', '--format', 'json')
    const report: unknown = JSON.parse(stdout)
    expect(code).toBe(1)
    expect(schemaTrouble(await publishedSchemaOf('diagnostics'), report)).toEqual([])
    expect(report).toMatchObject({
      version: 2,
      tool: { name: 'svc', version: packageVersion() },
      summary: { files: 1, errors: 2, warnings: 1, infos: 0 },
      diagnostics: [
        {
          code: 'SVC1101',
          slug: 'trust-level',
          severity: 'error',
          file: 'svc.yaml',
          range: { start: { line: 4, column: 17 }, end: { line: 4, column: 22 } },
          path: 'trust/level',
          snippet: 'trust: { level: signd }',
          related: [],
          suggestion: 'signed',
          docs: 'docs/reference/rules/trust-level.md',
        },
        { code: 'SVC0114' },
        { code: 'SVC2205' },
      ],
    })
  })

  it('writes SARIF that the schema of SARIF allows, beside what it prints', async () => {
    mkdirSync('a b')
    file('a b/svc.yaml', BAD.replace('inputs: []', 'inputs: [{ name: x, type: string }, { name: x, type: string }]'))
    const { stdout } = await svc(
      'validate',
      'a b',
      '--out',
      'sarif=out/svc.sarif',
      '--out',
      'junit=junit.xml',
      '--max-problems',
      '1',
    )
    const sarif: unknown = JSON.parse(readFileSync('out/svc.sarif', 'utf8'))
    const { id: _id, ...schema } = JSON.parse(
      readFileSync(join(home, 'test/vectors/sarif/sarif-2.1.0-rtm.5.json'), 'utf8'),
    ) as { readonly id: string }
    const draft7 = { ...schema, $schema: 'http://json-schema.org/draft-07/schema#' }
    expect(schemaTrouble(draft7, sarif, { strict: false, unicodeRegExp: false })).toEqual([])
    expect(sarif).toMatchObject({
      runs: [
        {
          results: [
            { ruleId: 'SVC1101' },
            { ruleId: 'SVC0114' },
            {
              ruleId: 'SVC2002',
              relatedLocations: [{ id: 1 }],
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'a%20b/svc.yaml' },
                    region: { startLine: 11, startColumn: 49 },
                  },
                },
              ],
            },
            { ruleId: 'SVC2205' },
          ],
        },
      ],
    })
    expect(stdout).toContain('SVC0011 truncated: showing 1 of 4; `--max-problems 0` shows all.')
    expect(readFileSync('junit.xml', 'utf8')).toContain(
      '<testsuites name="svc validate" tests="4" failures="3" errors="0">',
    )
  })

  it('writes GitHub annotations, worst first', async () => {
    file('svc.yaml', BAD.replace('version: "0.24.0"', 'version: "0.24"'))
    const { stdout } = await svc('validate', '--format', 'github')
    expect(stdout.split('\n')).toEqual([
      '::error file=svc.yaml,line=2,endLine=2,col=31,endColumn=37,title=SVC1301 protocol-version-format::`0.24` is not a version major.minor.patch. Did you mean `0.24.0`?',
      '::error file=svc.yaml,line=4,endLine=4,col=17,endColumn=22,title=SVC1101 trust-level::`signd` is not allowed for `level`: choose one of declarative, signed, anchored. Did you mean `signed`?',
      '::error file=svc.yaml,line=8,endLine=8,col=23,endColumn=27,title=SVC0114 yaml-number-for-string::`1.10` is the number 1.1, where text is expected; write "1.10.0".',
      '::warning file=svc.yaml,line=10,endLine=10,col=5,endColumn=18,title=SVC2205 scope-empty-on-read::`minimum_scope: []`: every token may read this; require a scope.',
      '',
    ])
  })

  it('says how many annotations GitHub would not show', async () => {
    file(
      'svc.yaml',
      GOOD.replace(
        'inputs: []',
        `inputs: [${Array.from({ length: 12 }, (_, at) => `{ name: a${at}, type: string, nonsense: 1 }`).join(', ')}]`,
      ),
    )
    const lines = (await svc('validate', '--format', 'github')).stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(11)
    expect(lines.at(-1)).toBe(
      '::notice title=svc validate::2 more findings are not shown here; run svc validate to see all 12.',
    )
  })

  it('prints no more GitHub annotations than it is asked to', async () => {
    file('svc.yaml', BAD)
    const { stdout } = await svc('validate', '--format', 'github', '--max-problems', '1')
    expect(stdout.split('\n').map((line) => line.slice(0, 29))).toEqual([
      '::error file=svc.yaml,line=4,',
      '::notice title=svc validate::',
      '',
    ])
  })

  it('writes a GitLab code quality report', async () => {
    file('svc.yaml', BAD)
    const issues = JSON.parse((await svc('validate', '--format', 'gitlab')).stdout) as readonly {
      readonly fingerprint: string
    }[]
    expect(issues[0]).toEqual({
      description:
        '`signd` is not allowed for `level`: choose one of declarative, signed, anchored. Did you mean `signed`?',
      check_name: 'SVC1101',
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/u) as unknown,
      severity: 'major',
      location: { path: 'svc.yaml', positions: { begin: { line: 4, column: 17 }, end: { line: 4, column: 22 } } },
    })
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(3)
    expect(schemaTrouble(GITLAB, issues)).toEqual([])
  })

  it('shows a person the first hundred findings, and a program all of them', async () => {
    const names = Array.from({ length: 101 }, (_, n) => `x${n}: 1`).join(', ')
    file('svc.yaml', GOOD.replace('{ type: read }', `{ type: read, ${names} }`))
    const { stdout } = await svc('validate')
    expect(stdout.match(/^svc\.yaml:\d+:\d+ error/gmu)).toHaveLength(100)
    expect((await svc('validate', '--max-problems', '0')).stdout.match(/^svc\.yaml:\d+:\d+ error/gmu)).toHaveLength(101)
    const { diagnostics } = JSON.parse((await svc('validate', '--json')).stdout) as { readonly diagnostics: unknown[] }
    expect(diagnostics).toHaveLength(101)
  })

  it('fails on warnings when asked to', async () => {
    file('svc.yaml', GOOD.replace('[crm.read]', '[]'))
    expect((await svc('validate')).code).toBe(0)
    expect((await svc('validate', '--fail-on', 'warning')).code).toBe(1)
    expect((await svc('validate', '--fail-on', 'warning', '--preset', 'minimal')).code).toBe(0)
  })

  it('counts what it does not print', async () => {
    file('svc.yaml', GOOD.replace('[crm.read]', '[]'))
    expect(await svc('validate', '--quiet', '--fail-on', 'warning')).toEqual({
      code: 1,
      stdout: '0 errors, 1 warning (not shown) in 1 file: failed by --fail-on warning.\n',
      stderr: '',
    })
    expect((await svc('validate', '--quiet')).stdout).toBe('0 problems in 1 file.\n')
    await svc('validate', '--quiet', '--out', 'junit=report.xml', '--fail-on', 'warning')
    expect(readFileSync('report.xml', 'utf8')).toContain('failures="1"')
  })

  it.each([
    [['nope.yaml'], 'SVC0001 no-input: there is no file `nope.yaml`.'],
    [['/dev/null'], '`/dev/null` is no regular file; write `-` to check what comes through standard input.'],
    [['svc/**/*.yml'], 'SVC0001 no-input: no manifest matched `svc/**/*.yml`. 1 file matches `svc/**/*.yaml`.'],
    [
      ['--out', 'sarf=x', 'svc'],
      '--out `sarf=x` is not format=file; the formats are text, json, sarif, github, gitlab, junit.',
    ],
    [['--out', 'json=-', 'svc'], '--out json=- names no file; `--format json` prints to standard output.'],
    [['--now', 'soon', 'svc'], '--now `soon` is not an RFC 3339 time such as 2026-01-01T00:00:00Z.'],
    [['--now', '1', 'svc'], '--now `1` is not an RFC 3339 time such as 2026-01-01T00:00:00Z.'],
    [
      ['--now', '2026-02-30T00:00:00Z', 'svc'],
      '--now `2026-02-30T00:00:00Z` is not an RFC 3339 time such as 2026-01-01T00:00:00Z.',
    ],
    [['--enable', 'SVC9999', 'svc'], '--enable `SVC9999` is no rule; `svc rules` lists them.'],
  ])('refuses %j with exit code 2', async (argv, message) => {
    mkdirSync('svc')
    file('svc/svc.yaml', GOOD)
    expect(await svc('validate', ...argv)).toEqual({ code: 2, stdout: '', stderr: `svc: ${message}\n` })
  })

  it('suggests the option that was meant', async () => {
    const { code, stderr } = await svc('validate', '--fromat', 'json')
    expect(code).toBe(2)
    expect(stderr).toContain("SVC0003 unknown-option: '--fromat'")
    expect(stderr).toContain('Did you mean --format?')
  })

  it('names a file that it cannot read', async () => {
    mkdirSync('svc.yaml')
    await expect(readManifest('svc.yaml')).rejects.toThrow('SVC0002 unreadable: cannot read `svc.yaml` (EISDIR).')
  })

  it('reports bytes that are no UTF-8', async () => {
    writeFileSync('svc.yaml', Buffer.concat([Buffer.from('a: '), Buffer.from([0xff])]))
    expect((await svc('validate')).stdout).toContain('svc.yaml:1:4 error SVC0104 yaml-encoding')
  })

  it('checks several manifests in one run', async () => {
    for (const name of ['a', 'b']) {
      mkdirSync(name)
      file(`${name}/svc.yaml`, GOOD)
    }
    expect((await svc('validate', '*/svc.yaml')).stdout).toBe('0 problems in 2 files.\n')
    expect((await svc('validate', '.')).stdout).toBe('0 problems in 2 files.\n')
  })

  it('checks hints from one service of the run to another', async () => {
    for (const [name, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      mkdirSync(name!)
      file(
        `${name}/svc.yaml`,
        `${GOOD.replace('id: crm', `id: ${name}`)}    cross_service: { handoff_to: [{ service: ${other}, capability: ${name === 'a' ? 'lokup' : 'lookup'} }] }\n`,
      )
    }
    expect((await svc('validate', '.')).stdout).toContain(
      'SVC3105 cross-unknown-in-workspace [?]\n  The manifest of `b` has no `lokup`. Did you mean `lookup`?',
    )
  })

  it('leaves out what a baseline lists, wherever it has moved', async () => {
    file('svc.yaml', BAD)
    expect((await svc('validate', '--baseline', 'b.json', '--write-baseline')).code).toBe(0)
    file('svc.yaml', `# moved\n\n${BAD.replace('trust: { level: signd }', 'trust:\n  level: signd')}`)
    expect(await svc('validate', '--baseline', 'b.json')).toMatchObject({ code: 0, stdout: '0 problems in 1 file.\n' })
    file('svc.yaml', GOOD)
    expect((await svc('validate', '--baseline', 'b.json')).stdout).toContain(
      'The baseline holds 3 findings that no longer occur',
    )
    await svc('validate', '--baseline', 'b.json', '--prune-baseline')
    expect(JSON.parse(readFileSync('b.json', 'utf8'))).toEqual({ version: 1, findings: [] })
  })

  it('writes no baseline over a manifest that it checks', async () => {
    file('svc.yaml', BAD)
    const { code, stderr } = await svc('validate', '--baseline', './svc.yaml', '--write-baseline')
    expect([code, stderr]).toEqual([2, 'svc: `./svc.yaml` is one of the files that were checked, and would be overwritten; name another file.\n']) // prettier-ignore
    expect(readFileSync('svc.yaml', 'utf8')).toBe(BAD)
  })

  it('says nothing of what a baseline lists of files that were not checked', async () => {
    file('svc.yaml', BAD)
    file('other.yaml', BAD)
    await svc('validate', 'svc.yaml', 'other.yaml', '--baseline', 'b.json', '--write-baseline')
    const written = readFileSync('b.json', 'utf8')
    expect((await svc('validate', '--baseline', 'b.json')).stdout).toBe('0 problems in 1 file.\n')
    await svc('validate', '--baseline', 'b.json', '--prune-baseline')
    expect(readFileSync('b.json', 'utf8')).toBe(written)
    rmSync('other.yaml')
    expect((await svc('validate', '--baseline', 'b.json')).stdout).toContain('holds 3 findings that no longer occur')
  })

  it('reports to JUnit as failed what fails the run, and what stands in a baseline, too', async () => {
    file('svc.yaml', GOOD.replace('[crm.read]', '[]'))
    file('b.json', '{"version": 1, "findings": [{"fingerprint": "0", "file": "gone.yaml"}]}')
    const ask = ['validate', '--baseline', 'b.json', '--format', 'junit'] as const
    expect(countsOf((await svc(...ask)).stdout)).toEqual(['svc validate 2 0', 'svc.yaml 1 0', 'b.json 1 0'])
    const { code, stdout } = await svc(...ask, '--fail-on', 'warning')
    expect([code, countsOf(stdout)]).toEqual([1, ['svc validate 2 2', 'svc.yaml 1 1', 'b.json 1 1']])
  })

  it('never takes a secret into a baseline, and never prints one', async () => {
    file(
      'svc.yaml',
      GOOD.replace('inputs: []', 'inputs: [{ name: a, type: string, catalog_ref: "https://u:hunter22@host/x" }]'),
    )
    await svc('validate', '--baseline', 'b.json', '--write-baseline')
    for (const format of ['text', 'json', 'sarif', 'github', 'gitlab', 'junit']) {
      const { code, stdout } = await svc('validate', '--baseline', 'b.json', '--format', format)
      expect(code).toBe(1)
      expect(stdout).not.toContain('hunter22')
    }
  })

  it('accepts no secret by a baseline, whoever wrote that', async () => {
    file('svc.yaml', GOOD.replace('inputs: []', 'inputs: [{ name: a, type: string, catalog_ref: "https://u:hunter22@host/x" }]')) // prettier-ignore
    const report = JSON.parse((await svc('validate', '--format', 'gitlab')).stdout) as readonly { readonly fingerprint: string; readonly check_name: string }[] // prettier-ignore
    const findings = report.map(({ fingerprint, check_name: code }) => ({
      fingerprint,
      code,
      file: 'svc.yaml',
      path: '',
    }))
    file('b.json', JSON.stringify({ version: 1, findings }))
    expect(findings.length).toBeGreaterThan(0)
    expect((await svc('validate', '--baseline', 'b.json')).code).toBe(1)
  })

  it('mends what it can, once and for all', async () => {
    const text = GOOD.replace('type: read }', 'type: READ } # loud').replace(
      'minimum_scope: [crm.read]',
      'minimumScope: crm.read',
    )
    file('svc.yaml', text)
    const { stdout } = await svc('validate', '--fix-dry-run')
    expect(stdout).toContain(
      '-    minimumScope: crm.read\n+    side_effect: { type: read } # loud\n+    minimum_scope: [crm.read]\n',
    )
    expect(readFileSync('svc.yaml', 'utf8')).toBe(text)
    expect(await svc('validate', '--fix')).toMatchObject({ code: 0, stdout: '0 problems in 1 file.\n' })
    expect(readFileSync('svc.yaml', 'utf8')).toBe(GOOD.replace('{ type: read }', '{ type: read } # loud'))
  })

  it('shows no secret beside what would change', async () => {
    const secret = `ghp_${'a1'.repeat(18)}`
    const text = GOOD.replace('[crm.read]', `[crm.read] # ${secret}`).replace('contract_version', 'contractVersion')
    file('svc.yaml', text)
    const { stdout } = await svc('validate', '--fix-dry-run')
    expect(stdout).toContain('+    contract_version: 1.0.0\n')
    expect(stdout).not.toContain('a1a1')
    await svc('validate', '--fix')
    expect(readFileSync('svc.yaml', 'utf8')).toBe(text.replace('contractVersion', 'contract_version'))
  })

  it.each(['json', 'sarif', 'gitlab', 'junit', 'github'])(
    'keeps what would change out of a report that a program reads: %s',
    async (format) => {
      file('svc.yaml', GOOD.replace('minimum_scope: [crm.read]', 'minimumScope: crm.read'))
      const plain = await svc('validate', '--format', format)
      const { stdout, stderr } = await svc('validate', '--format', format, '--fix-dry-run')
      expect(stdout).toBe(plain.stdout)
      expect(stderr).toContain('-    minimumScope: crm.read\n+    minimum_scope: [crm.read]\n')
    },
  )
})

describe('svc explain, rules, schema, fmt', () => {
  it('explains a rule by code or name', async () => {
    const { stdout } = await svc('explain', 'svc2403')
    expect(stdout).toContain('# SVC2403 closed-values-needs-set')
    expect(stdout).toContain('`closed_values` requires `allowed_values`.')
    expect((await svc('explain', 'closed-values-needs-set')).stdout).toBe(stdout)
    expect(JSON.parse((await svc('explain', 'SVC2403', '--json')).stdout)).toMatchObject({
      code: 'SVC2403',
      severity: 'error',
      suppressible: false,
    })
  })

  it('explains a change that svc diff reports', async () => {
    const { stdout } = await svc('explain', 'svc9001')
    expect(stdout).toContain('# SVC9001 capability-removed')
    expect(stdout).toContain('It breaks callers.')
    expect((await svc('explain', 'capability-removed')).stdout).toBe(stdout)
    expect(JSON.parse((await svc('explain', 'SVC9001', '--json')).stdout)).toMatchObject({ effect: 'breaking' })
  })

  it('explains what a block holds, by its field and by its name', async () => {
    const fields = '  rollback_window  Time in which the change can be undone; only for transactional.\n'
    expect((await svc('explain', 'side_effect')).stdout).toContain(fields)
    expect((await svc('explain', 'side-effect')).stdout).toContain(fields)
  })

  it.each([
    [
      'budget_exceeded',
      'Next: `request_budget_increase`: get a token with a larger budget: svc token issue --scope <scope> --budget <amount>.',
    ],
    ['internal_error', 'The developer finds the reason in the log of the service, by the invocation id.'],
    [
      'approver_not_authorized',
      'It needs the scope `approver:<capability>`, or `approvals.approver_scope` of the manifest',
    ],
    ['approval_required', 'a failure · HTTP 403 · the same call succeeds with a grant, and fails again without one'],
    ['budget', 'It belongs to a token, not to a capability: who delegates gives it'],
    ['exclusive', 'It is no lock on what a call works on'],
    ['concurrent_branches', '`allowed`, the default, or `exclusive`'],
    ['cumulative', 'A mode of a budget: it bounds all calls under the token and its children together.'],
    ['date', 'A day of the calendar: `2026-03-01`.'],
    ['datetime', 'Within `x-schema` it is `type: string` with `format: date-time`.'],
    ['bindings.issue', 'an id of the handler’s own is `binding_stale` for every caller'],
    ['bindingdata', 'interface BindingData {'],
    ['composition', 'financial: { currency: EUR, upper_bound: 5000, x-amount-input: limit }'],
    ['composition.input_mapping', '$.steps.find.output.offer'],
    ['request_approval', 'Failures that name it: `approval_required`, `approval_grant_invalid`.'],
    ['uniqueItems', 'It takes true or false. It bounds values of type array.'],
    ['nullable', "Write `type: [string, 'null']`."],
    ['cost_ceiling', 'A value of `capabilities.<name>.control_requirements[].type`. The token must have a budget.'],
  ])('explains `%s`, which it prints elsewhere', async (word, text) => {
    expect((await svc('explain', word)).stdout).toContain(text)
  })

  it('explains a field of the manifest, of one block where several have it', async () => {
    const { stdout } = await svc('explain', 'requires_principal')
    expect(stdout).toContain('# capabilities.<name>.requires_principal')
    expect(stdout).toContain('Any other is `non_delegable_action`')
    expect((await svc('explain', 'resolution.mode')).stdout).toContain('| `actor_policy` | From the actor policy only.')
    expect((await svc('explain', 'capabilities.x.inputs.y.resolution.mode')).stdout).toContain('SVC2402')
    expect((await svc('explain', 'type')).stdout).toContain('  svc explain side-effect.type\n')
    expect((await svc('explain', 'requires_pricipal')).stderr).toContain('Did you mean `requires_principal`?')
  })

  it('suggests the rule that was meant', async () => {
    expect(await svc('explain', 'SVC24O3')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'svc: Nothing is called `SVC24O3`: no rule, change, field, word or failure. Did you mean `SVC2403`? `svc rules` lists the rules, ' +
        `${home}/docs/reference has the rest.\n`,
    })
  })

  it('lists the rules', async () => {
    expect((await svc('rules')).stdout).toContain('SVC2403 error   closed-values-needs-set')
    expect(JSON.parse((await svc('rules', '--json')).stdout)).toMatchObject({
      version: 2,
      rules: expect.arrayContaining([
        expect.objectContaining({ code: 'SVC6003', presets: ['recommended', 'strict'] }),
      ]) as unknown,
    })
  })

  it('prints the published schemas', async () => {
    for (const name of SCHEMA_NAMES)
      expect((await svc('schema', name)).stdout).toBe(readFileSync(join(home, `schemas/${name}.schema.json`), 'utf8'))
  })

  it('orders fields, and keeps comments', async () => {
    file(
      'svc.yaml',
      GOOD.replace('    description: Looks an account up by its id.\n', '').replace(
        '    inputs: []\n',
        '    inputs: []\n    # what it is for\n    description: Looks an account up by its id. # said\n',
      ),
    )
    expect((await svc('fmt', '--check')).code).toBe(1)
    expect((await svc('fmt')).stdout).toBe('formatted svc.yaml\n')
    const formatted = readFileSync('svc.yaml', 'utf8')
    expect(formatted).toContain(
      '  lookup:\n    # what it is for\n    description: Looks an account up by its id. # said\n    contract_version: 1.0.0\n',
    )
    expect(await svc('fmt')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(existsSync('svc.yaml.svc-tmp')).toBe(false)
  })

  it.each([['fmt'], ['validate', '--fix']])('%s %s writes through a link, and keeps who may read the file', async (...command) => {
    file('shared.yaml', GOOD.replace('level: signed', 'level:   SIGNED'))
    chmodSync('shared.yaml', 0o626)
    symlinkSync('shared.yaml', 'svc.yaml')
    expect((await svc(...command, 'svc.yaml')).stderr).toBe('')
    expect(lstatSync('svc.yaml').isSymbolicLink()).toBe(true)
    expect(readFileSync('shared.yaml', 'utf8')).not.toContain('level:   SIGNED')
    expect(statSync('shared.yaml').mode & 0o777).toBe(0o626)
  }) // prettier-ignore

  it('shows no character that would act on the terminal', async () => {
    file('a\u001Bb\n.yaml', GOOD.replace('level: signed }', 'level:   SIGNED } # \u202E'))
    expect((await svc('validate', '--fix-dry-run', '*.yaml')).stdout).toContain(
      '--- a\u241Bb\u00B7.yaml\n+++ a\u241Bb\u00B7.yaml\n',
    )
    expect((await svc('validate', '--fix-dry-run', '*.yaml')).stdout).not.toContain('\u202E')
    expect((await svc('fmt', '--check', '*.yaml')).stdout).toBe('would format a\u241Bb\u00B7.yaml\n')
  })

  it('fmt names no file after standard input', async () => {
    expect(await svc('fmt', '-')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'svc: Standard input cannot be formatted in place; name a file.\n',
    })
  })

  it('fmt says what it has written, and nothing that it could not write', async () => {
    file('svc.yaml', GOOD.replace('level: signed', 'level:   signed'))
    mkdirSync('svc.yaml.svc-tmp')
    expect(await svc('fmt')).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^svc: Cannot remove .*svc\.yaml\.svc-tmp: .* \(E(?:ISDIR|PERM)\)/u),
    })
  })
})
