import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const MINIMAL = readFileSync('examples/minimal/svc.yaml', 'utf8')
/** SVC6103, a lint: two capabilities with one description. */
const TWINS = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
${['lookup', 'find']
  .map(
    (name) => `  ${name}:
    description: Looks an account up by its id.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
`,
  )
  .join('')}`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-config-'))
  write('svc.yaml', MINIMAL)
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
function svc(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(process.cwd(), 'bin/svc.cjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe('SVC0004 bad-config', () => {
  it.each([
    ['svc.config.yaml', 'validate:\n  presett: strict\n', 'svc.config.yaml:2:3', '`preset`'],
    ['svc.config.yaml', 'validte: {}\n', 'svc.config.yaml:1:1', '`validate`'],
    ['svc.config.json', '{ "validate": { "preset": "stric" } }', 'svc.config.json:1:27', 'strict'],
    ['svc.config.yaml', 'validate: { enable: [SVC2403] }\n', 'svc.config.yaml:1:22', 'SVC2403 is no lint'],
    ['svc.config.yaml', 'validate: { severity: { SVC2101: off } }\n', 'svc.config.yaml:1:25', 'its severity is fixed'],
    ['svc.config.yaml', 'validate: { severity: { SVC6l03: off } }\n', 'svc.config.yaml:1:25', 'Did you mean'],
    ['svc.config.yaml', 'build: { dist: ../out }\n', 'svc.config.yaml:1:16', 'no folder inside the project'],
    ['svc.config.yaml', 'build: { generated: src }\n', 'svc.config.yaml:1:21', 'not a folder for generated files'],
    [
      'svc.config.yaml',
      'build: { generated: dist/code }\n',
      'svc.config.yaml:1:21',
      'keep `generated` and `dist` apart',
    ],
    ['svc.config.yaml', 'build: { generated: SRC }\n', 'svc.config.yaml:1:21', 'not a folder for generated files'],
    [
      'svc.config.yaml',
      'build: { generated: src/handlers }\n',
      'svc.config.yaml:1:21',
      'not a folder for generated files',
    ],
    ['svc.config.yaml', 'build: { generated: Dist }\n', 'svc.config.yaml:1:21', 'keep `generated` and `dist` apart'],
    ['svc.config.yaml', '', 'svc.config.yaml:1:1', 'write a configuration in it'],
    ['svc.config.yaml', '- a\n', 'svc.config.yaml:1:1', 'is a mapping'],
    ['svc.config.yaml', 'a: [\n', 'svc.config.yaml', 'SVC0004'],
  ])('%s %j', (name, text, place, hint) => {
    write(name, text)
    for (const args of [['validate'], ['validate', '--quiet'], ['build']]) {
      const { status, stdout, stderr } = svc(...args)
      expect([status, stdout]).toEqual([2, ''])
      expect(stderr).toContain(`${place}`)
      expect(stderr).toContain('SVC0004 bad-config')
      expect(stderr).toContain(hint)
    }
    expect(readdirSync(folder).toSorted()).toEqual([name, 'svc.yaml'].toSorted())
  })

  it('refuses two files of settings', () => {
    write('svc.config.yaml', '')
    write('svc.config.json', '{}')
    expect(svc('validate').stderr).toContain('svc.config.yaml and svc.config.json are both there; keep one.')
  })

  it('refuses two files of targets', () => {
    write('svc.config.js', 'export default { targets: [] }')
    write('svc.config.mjs', 'export default { targets: [] }')
    expect(svc('build', '--no-bundle')).toMatchObject({
      status: 2,
      stderr: 'svc: SVC0004 bad-config: svc.config.js and svc.config.mjs are both there; keep one.\n',
    })
  })

  it('names a configuration that cannot be read', () => {
    mkdirSync(join(folder, 'svc.config.yaml'))
    expect(svc('validate').stderr).toBe('svc: SVC0002 unreadable: cannot read `svc.config.yaml` (EISDIR).\n')
  })
})

describe('svc validate with a configuration', () => {
  it('weighs lints, and nothing else', () => {
    write('svc.yaml', TWINS)
    expect(svc('validate').status).toBe(0)
    write('svc.config.yaml', 'validate: { severity: { SVC6103: error } }\n')
    expect(svc('validate')).toMatchObject({ status: 1, stdout: expect.stringContaining('error SVC6103') })
    write('svc.config.yaml', 'validate: { severity: { SVC6103: off } }\n')
    expect(svc('validate').stdout).not.toContain('SVC6103')
  })

  it('takes the preset and further lints, which an option outweighs', () => {
    write('svc.yaml', TWINS)
    write('svc.config.json', '{ "validate": { "preset": "minimal", "enable": ["SVC6110"] } }')
    const { stdout } = svc('validate')
    expect(stdout).toContain('SVC6110')
    expect(stdout).not.toContain('SVC6103')
    expect(svc('validate', '--preset', 'recommended').stdout).toContain('SVC6103')
    expect(svc('validate', '--enable', 'SVC6103').stdout).toMatch(/SVC6103[\s\S]*SVC6110/u)
  })

  it('leaves ignored files out of folders and globs, but never a file that is named', () => {
    write('svc.yaml', MINIMAL)
    write('old/svc.yaml', 'a: 1\n')
    write('new/svc.yaml', MINIMAL)
    write('svc.config.yaml', "validate: { ignore: ['old/**'] }\n")
    expect(svc('validate', '*/svc.yaml')).toMatchObject({ status: 0, stdout: expect.stringContaining('in 1 file.') })
    expect(svc('validate', 'old/svc.yaml').status).toBe(1)
    expect(svc('validate', 'old/*.yaml')).toMatchObject({ status: 2, stderr: expect.stringContaining('SVC0001') })
  })

  it('runs no code', () => {
    write('svc.config.js', "throw new Error('ran')\n")
    expect(svc('validate').status).toBe(0)
  })
})

describe('svc build with a configuration', () => {
  beforeEach(() => {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(process.cwd(), join(folder, 'node_modules/svc-kit'))
    write('package.json', '{ "type": "module" }')
  })

  it('writes into the folders that are named, says so, and knows when nothing changed', () => {
    write('svc.config.yaml', 'build: { generated: code/made, dist: out }\n')
    const first = svc('build')
    expect(first.stderr).toContain('code/made/: ')
    expect(first.stderr).toContain('out/: ')
    expect(first.status).toBe(0)
    expect(existsSync(join(folder, 'code/made/handlers.ts'))).toBe(true)
    expect(existsSync(join(folder, 'out/manifest.json'))).toBe(true)
    expect(existsSync(join(folder, 'out/client/index.js'))).toBe(true)
    const handler = readdirSync(join(folder, 'src/handlers')).find((name) => name !== 'index.ts')
    expect(readFileSync(join(folder, 'src/handlers', handler!), 'utf8')).toContain("from '../../code/made/handlers.js'")
    expect(existsSync(join(folder, 'generated')) || existsSync(join(folder, 'dist'))).toBe(false)
    expect(svc('build').stderr).toContain('nothing has changed')
    expect(svc('build', '--check').stderr).toContain('code/made/ is up to date')
    write('svc.config.yaml', 'build: { generated: code/made, dist: out } # changed\n')
    expect(svc('build').stderr).not.toContain('nothing has changed')
  }, 60_000)

  it('writes what targets of the project make, in the guarded way of all outputs', () => {
    write(
      'svc.config.js',
      `export default {
  targets: [
    ({ serviceId, capabilities }) => [
      { path: 'generated/names.ts', ownership: 'generated', text: \`export const \${serviceId} = \${capabilities.length}\\n\` },
      { path: 'dist/names.txt', ownership: 'generated', text: capabilities.map(({ name }) => name).join() },
      { path: 'src/mine.txt', ownership: 'owned', text: 'once' },
    ],
  ],
}
`,
    )
    for (const args of [['build'], ['build', '--force']]) expect(svc(...args)).toMatchObject({ status: 0 })
    expect(readFileSync(join(folder, 'generated/names.ts'), 'utf8')).toMatch(/^export const \w+ = \d+\n$/u)
    expect(existsSync(join(folder, 'dist/names.txt'))).toBe(true)
    write('src/mine.txt', 'mine')
    write('generated/names.ts', 'changed by hand')
    expect(svc('build')).toMatchObject({ status: 1, stderr: expect.stringContaining('generated/names.ts') })
    expect(readFileSync(join(folder, 'src/mine.txt'), 'utf8')).toBe('mine')
  }, 60_000)

  it.each([
    ['export default { targts: [] }', 'svc.config.js:1:18 unknown key `targts`. Did you mean `targets`?'],
    ['export default { validate: {} }', 'It belongs into svc.config.yaml.'],
    ['export default 1', 'exports no object'],
    ['export default { targets: [1] }', 'is no list of functions'],
    ['export default {', 'cannot be loaded'],
    ["export default { targets: [() => { throw new Error('no') }] }", 'The target 1 of svc.config.js failed: no'],
    ['export default { targets: [() => 1] }', 'gives no list of files'],
    ["export default { targets: [() => [{ path: 'a' }]] }", 'without `path`, `text` or `ownership`'],
    ["export default { targets: [() => [{ path: '../a', text: '', ownership: 'owned' }]] }", 'would write ../a'],
    [
      "export default { targets: [() => [{ path: 'main.ts', text: '', ownership: 'generated' }]] }",
      'would write main.ts',
    ],
    [
      "export default { targets: [() => [{ path: 'generated/types.ts', text: '', ownership: 'generated' }]] }",
      'Two targets write generated/types.ts',
    ],
    [
      "export default { targets: [() => [{ path: 'generated/Types.ts', text: '', ownership: 'generated' }]] }",
      'Two targets write generated/types.ts and generated/Types.ts, which are one file to some systems',
    ],
    [
      "export default { targets: [() => [{ get path() { throw new Error('no') } }]] }",
      'The target 1 of svc.config.js failed: no',
    ],
    ['await new Promise(() => {})', 'svc.config.js cannot be loaded: it waits for what never comes.'],
    ...['dist/client/index.js', 'dist/discovery.json', 'dist/manifest.jws'].map((path) => [
      `export default { targets: [() => [{ path: '${path}', text: '', ownership: 'generated' }]] }`,
      `would write ${path}, which the build itself writes`,
    ]),
  ])('%s', (text, message) => {
    write('svc.config.js', text)
    const { status, stderr } = svc('build')
    expect(stderr).toContain(message)
    expect(status).toBe(2)
    expect(existsSync(join(folder, 'generated'))).toBe(false)
  })
})
