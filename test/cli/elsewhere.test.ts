import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schemaJudge } from '../../src/cli/validate/schema-judge.js'
import { check } from '../../src/compiler/check.js'
import { RULES } from '../../src/compiler/rules/index.js'
import type { Rule } from '../../src/compiler/rules/rule.js'
import { svc as command } from './command.js'
import { wellFormedXml } from './well-formed-xml.js'

/** The rules on the run itself: no manifest can break them, so they have no case directory. */

const GOOD = readFileSync('examples/minimal/svc.yaml', 'utf8')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-elsewhere-'))
  write('svc.yaml', GOOD)
})
afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
const svc = (args: readonly string[], input?: string) =>
  command(args, { cwd: folder, ...(input === undefined ? {} : { input }) })

describe('SVC0001 no-input', () => {
  it('a glob that matches nothing is an error, with the spelling that would', async () => {
    expect(await svc(['validate', '*.yml'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'svc: SVC0001 no-input: no manifest matched `*.yml`. 1 file matches `*.yaml`.\n',
    })
  })
})

describe('SVC0002 unreadable', () => {
  it('a file that cannot be read is an error', async () => {
    write('closed.yaml', GOOD)
    chmodSync(join(folder, 'closed.yaml'), 0)
    // Who may read everything still cannot read the memory of a process that has none there.
    const file = process.getuid?.() === 0 ? '/proc/self/mem' : 'closed.yaml'
    expect(await svc(['validate', file])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^svc: SVC0002 unreadable: cannot read `.+` \(E[A-Z]+\)\.\n$/u),
    })
  })

  it('an include that is not there is a finding at its place', async () => {
    write('root.yaml', GOOD.replace(/^capabilities:/mu, 'include: [gone.yaml]\ncapabilities:'))
    expect(await svc(['validate', 'root.yaml'])).toMatchObject({ status: 1 })
  })
})

describe('SVC0009 stale-baseline', () => {
  it('a baseline that lists what no longer occurs is a warning, until it is pruned', async () => {
    write('bad.yaml', GOOD.replace('contract_version', 'contract_versoin'))
    expect((await svc(['validate', 'bad.yaml', '--baseline', 'b.json', '--write-baseline'])).status).toBe(0)
    write('bad.yaml', GOOD)
    expect((await svc(['validate', 'bad.yaml', '--baseline', 'b.json'])).stdout).toBe(
      'b.json:1:1 warning SVC0009 stale-baseline\n' +
        '  The baseline holds 1 finding that no longer occurs; run `svc validate --prune-baseline`.\n\n' +
        '1 warning in 1 file.\n',
    )
    expect((await svc(['validate', 'bad.yaml', '--baseline', 'b.json', '--prune-baseline'])).stdout).toBe(
      '0 problems in 1 file.\n',
    )
    expect((await svc(['validate', 'bad.yaml', '--baseline', 'b.json'])).stdout).toBe('0 problems in 1 file.\n')
  })
})

describe('SVC0010 file-too-big', () => {
  it('a file over the limit is not read any further', () => {
    const text = `${GOOD}#${' '.repeat(64 * 1024 * 1024)}`
    expect(check([{ file: 'svc.yaml', text }]).diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      `SVC0010 The file has ${text.length} characters; the limit is 67108864. Split it with \`include:\`.`,
    ])
  })
})

describe('SVC0012 internal', () => {
  it('a rule that fails is reported as a bug, and the others still run', () => {
    const broken = {
      ...RULES.find(({ code }) => code === 'SVC6103')!,
      ofCapability: () => JSON.parse('{') as void,
    }
    const rules = RULES.map((rule) => (rule.code === broken.code ? broken : rule))
    const text = GOOD.replace('contract_version', 'contract_versoin')
    const { diagnostics } = check([{ file: 'svc.yaml', text }], { rules })
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(['SVC0012', 'SVC0202']))
    expect(diagnostics.find(({ code }) => code === 'SVC0012')?.message).toMatch(
      /^This is a bug in svc: the rule SVC6103 failed \(.+\)\. Please report it\.$/u,
    )
  })
})

describe('SVC0190 schema-refuses', () => {
  const text = readFileSync('test/rules/inputs/closed-values-needs-set/svc.yaml', 'utf8')
  const without = (...codes: readonly string[]): readonly Rule[] => RULES.filter(({ code }) => !codes.includes(code))

  it('what the published schema refuses and no rule explains is an error at its place', () => {
    const judge = schemaJudge()
    const { diagnostics, manifest } = check([{ file: 'svc.yaml', text }], { judge, rules: without('SVC2403') })
    expect(manifest).toBeUndefined()
    expect(diagnostics.map(({ code, path, message }) => [code, path, message])).toEqual([
      [
        'SVC0190',
        'capabilities/lookup/inputs/region/name',
        'The published JSON Schema refuses this: it must have the member `allowed_values`. No rule of svc says why, ' +
          'which is a bug in svc: please report it. To go on, write what the schema takes: `svc schema manifest` prints it.',
      ],
    ])
  })

  it('what a rule explains is not said again', () => {
    const { diagnostics } = check([{ file: 'svc.yaml', text }], { judge: schemaJudge() })
    expect(diagnostics.map(({ code }) => code)).toEqual(['SVC2403'])
  })
})

describe('SVC3105 cross-unknown-in-workspace', () => {
  const hint = (name: string): string =>
    GOOD.replace(
      /^ {4}inputs:/mu,
      `    cross_service:\n      handoff_to: [{ service: billing, capability: ${name} }]\n    inputs:`,
    )

  it('a hint to a service of the same run names one of its capabilities', () => {
    const services = new Map([['billing', new Set(['inv.create'])]])
    const found = (name: string): readonly string[] =>
      check([{ file: 'svc.yaml', text: hint(name) }], { services })
        .diagnostics.filter(({ code }) => code === 'SVC3105')
        .map(({ message }) => message)
    const { ofCapability: _, ...silent } = RULES.find(({ code }) => code === 'SVC3105')!
    const others = RULES.map((rule) => (rule.code === 'SVC3105' ? silent : rule))
    const without = check([{ file: 'svc.yaml', text: hint('inv.crete') }], { services, rules: others })
    expect(without.diagnostics.map(({ code }) => code)).not.toContain('SVC3105')
    expect(found('inv.create')).toEqual([])
    expect(found('inv.crete')).toEqual(['The manifest of `billing` has no `inv.crete`. Did you mean `inv.create`?'])
  })
})

describe('standard input', () => {
  it('is checked under the name that is given', async () => {
    expect(await svc(['validate', '-'], GOOD)).toMatchObject({ status: 0, stdout: '0 problems in 1 file.\n' })
    const bad = GOOD.replace('contract_version', 'contract_versoin')
    expect((await svc(['validate', '-'], bad)).stdout).toMatch(/^stdin:\d+:\d+ error SVC0202/u)
    expect(await svc(['validate', '-', '--stdin-filename', 'api/svc.yaml'], bad)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^api\/svc\.yaml:\d+:\d+ error SVC0202/u),
    })
    expect(await svc(['validate', '-'], '')).toMatchObject({ status: 1, stdout: expect.stringContaining('SVC0105') })
  })

  it('includes what lies beside the name that is given', async () => {
    const text = GOOD.replace(/^capabilities:/mu, 'include: [more.yaml]\ncapabilities:')
    write('more.yaml', GOOD.replace(/^[^]*?(?=capabilities:)/u, ''))
    expect(await svc(['validate', '-', '--stdin-filename', 'svc.yaml'], text)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^more\.yaml:2:3 error SVC1005/u),
    })
  })
})

describe('several reports of one run', () => {
  const names = ['text', 'json', 'sarif', 'github', 'gitlab', 'junit'] as const

  it('are all written, and hold everything, whatever is printed', async () => {
    write('bad.yaml', GOOD.replace('contract_version', 'contract_versoin').replace('level: ', 'level: x'))
    const outs = names.flatMap((name) => ['--out', `${name}=out/${name}.txt`])
    const { status, stdout } = await svc([
      'validate',
      'bad.yaml',
      'svc.yaml',
      ...outs,
      '--max-problems',
      '1',
      '--quiet',
    ])
    expect([status, stdout.match(/error SVC/gu)?.length]).toEqual([1, 1])
    for (const name of names) {
      const text = readFileSync(join(folder, `out/${name}.txt`), 'utf8')
      expect([name, text.includes('SVC0202'), text.includes('SVC1101')]).toEqual([name, true, true])
    }
  })

  it.each([
    ['--out', 'json=svc.yaml'],
    ['--baseline', './svc.yaml', '--write-baseline'],
  ])('%s %s would overwrite what was checked', async (...args) => {
    const before = readFileSync(join(folder, 'svc.yaml'), 'utf8')
    const { status, stderr } = await svc(['validate', 'svc.yaml', ...args])
    expect([status, stderr.includes('is one of the files that were checked')]).toEqual([2, true])
    expect(readFileSync(join(folder, 'svc.yaml'), 'utf8')).toBe(before)
  })

  it('a folder that cannot be made is an error, and no endless try', async () => {
    const { status, stderr } = await svc(['validate', 'svc.yaml', '--out', 'json=/proc/nowhere/report.json'])
    expect([status, stderr.includes('/proc/nowhere')]).toEqual([2, true])
  })

  it.each([['fmt'], ['validate', '--fix']])(
    '%s %s leaves what a link at its temporary path leads to',
    async (...command) => {
      write(
        'loose.yaml',
        GOOD.replace(/level: \w+/u, (text) => text.replace(/\w+$/u, (word) => `  ${word.toUpperCase()}`)),
      )
      write('other.txt', 'mine')
      symlinkSync('other.txt', join(folder, 'loose.yaml.svc-tmp'))
      expect((await svc([...command, 'loose.yaml'])).status).toBe(0)
      expect(readFileSync(join(folder, 'other.txt'), 'utf8')).toBe('mine')
    },
  )

  it('a file of several names is checked once', async () => {
    const { stdout } = await svc(['validate', 'svc.yaml', './svc.yaml', join(folder, 'svc.yaml')])
    expect(stdout).toBe('0 problems in 1 file.\n')
  })

  it('JUnit is XML of the shape that the schema of JUnit has', async () => {
    write('bad.yaml', GOOD.replace('level: ', 'level: <&"x'))
    const { stdout } = await svc(['validate', 'bad.yaml', 'svc.yaml', '--format', 'junit'])
    const root = wellFormedXml(stdout)
    expect(root.name).toBe('testsuites')
    expect(Object.keys(root.attributes)).toEqual(['name', 'tests', 'failures', 'errors'])
    const cases = root.children.flatMap((suite) => suite.children)
    expect(Number(root.attributes['tests'])).toBe(cases.length)
    expect(Number(root.attributes['failures'])).toBe(
      cases.filter(({ children }) => children.some(({ name }) => name === 'failure')).length,
    )
    for (const suite of root.children) {
      expect(suite.name).toBe('testsuite')
      expect(Object.keys(suite.attributes)).toEqual(['name', 'tests', 'failures', 'errors', 'skipped', 'time'])
      expect(Number(suite.attributes['tests'])).toBe(suite.children.length)
      for (const { name, attributes, children } of suite.children) {
        expect([name, Object.keys(attributes)]).toEqual(['testcase', ['name', 'classname', 'time']])
        expect(children.length).toBeLessThanOrEqual(1)
        for (const child of children) expect(['failure', 'error', 'skipped', 'system-out']).toContain(child.name)
      }
    }
  })

  it.each([
    ['--out', 'sarf=x'],
    ['--format', 'sarf'],
    ['--enable', 'SVC9999'],
    ['--now', 'soon'],
    ['--baseline', 'none.json'],
    ['--max-problems', '-1'],
  ])('%s %s is refused before anything is said to be sound', async (...args) => {
    expect(await svc(['validate', ...args])).toMatchObject({ status: 2, stdout: '' })
  })
})
