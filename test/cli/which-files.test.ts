/** Which files a check reads, and which it refuses to: manifests, what they include, and the schemas that these refer to. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs' // prettier-ignore
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { compare, readBaseline, staleFinding } from '../../src/cli/validate/baseline.js'
import { wantsColor } from '../../src/cli/validate/color.js'
import { repositoryOf, runFrom } from '../../src/cli/validate/in-repository.js'
import { manifestFiles } from '../../src/cli/validate/manifest-files.js'
import { readManifest } from '../../src/cli/validate/read-manifest.js'
import { outputsOf, refuseToOverwrite, writeReports } from '../../src/cli/validate/reports.js'
import type { Diagnostic } from '../../src/compiler/diagnostics.js'

const home = process.cwd()
let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-files-')))
  process.chdir(folder)
})
afterEach(() => {
  process.chdir(home)
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})
const write = (...names: readonly string[]): void => {
  for (const name of names) put(name, `text of ${name}\n`)
}
function put(name: string, text: string): void {
  mkdirSync(dirname(name), { recursive: true })
  writeFileSync(name, text)
}
async function ended<T>(work: () => T | Promise<T>): Promise<T | string> {
  try {
    return await work()
  } catch (error) {
    return (error as Error).message
  }
}

describe('manifests', () => {
  beforeEach(() => {
    write('svc.yaml', 'more/svc.yaml', 'more/deep/svc.yaml', 'all/a/svc.yaml', 'all/b/c/svc.yaml', 'all/b/other.yaml')
    write('all/node_modules/x/svc.yaml', 'all/.git/svc.yaml', 'all/dist/svc.yaml', 'all/mine/svc.yaml', 'one.yml')
    mkdirSync('empty')
    mkdirSync('odd/svc.yaml', { recursive: true })
  })

  it.each([
    [[], ['svc.yaml']],
    [['.'], ['svc.yaml']],
    [['more'], ['more/svc.yaml']],
    [['all'], ['all/a/svc.yaml', 'all/b/c/svc.yaml', 'all/mine/svc.yaml']],
    [['all/dist/svc.yaml'], ['all/dist/svc.yaml']],
    [['all/*/svc.yaml'], ['all/a/svc.yaml', 'all/mine/svc.yaml']],
    [
      ['**/other.yaml', 'more'],
      ['all/b/other.yaml', 'more/svc.yaml'],
    ],
    [
      ['svc.yaml', './svc.yaml', 'more/../svc.yaml', '-', '-'],
      ['svc.yaml', '-'],
    ],
    [['{svc,one}.{yaml,yml}'], ['one.yml', 'svc.yaml']],
    [['none.yaml'], 'SVC0001 no-input: there is no file `none.yaml`.'],
    [['one.yaml'], 'SVC0001 no-input: there is no file `one.yaml`. 1 file matches `one.yml`.'],
    [['all/a/svc.yml'], 'SVC0001 no-input: there is no file `all/a/svc.yml`. 1 file matches `all/a/svc.yaml`.'],
    [['all/*/svc.yml'], 'SVC0001 no-input: no manifest matched `all/*/svc.yml`. 2 files match `all/*/svc.yaml`.'],
    [['empty'], 'SVC0001 no-input: no manifest matched `empty/**/svc.yaml`.'],
    [['odd'], 'SVC0001 no-input: no manifest matched `odd/**/svc.yaml`.'],
    [['/dev/null'], '`/dev/null` is no regular file; write `-` to check what comes through standard input.'],
  ])('%j', async (patterns, files) => {
    expect(await ended(() => manifestFiles(patterns))).toEqual(files)
  })

  it('leaves out what is ignored, and says how one is made where there is none', async () => {
    expect(await manifestFiles(['all'], ['**/mine/**'])).toEqual(['all/a/svc.yaml', 'all/b/c/svc.yaml'])
    rmSync('svc.yaml')
    expect(await ended(() => manifestFiles([]))).toBe(
      'SVC0001 no-input: there is no file `svc.yaml`. Name a file, or run `svc init` to make one.',
    )
  })
})

const problemsOf = async (): Promise<readonly string[]> =>
  (await readManifest('app/svc.yaml')).includeProblems.map(({ code, message, file }) => `${code} ${message}${file === undefined ? '' : ` (${file})`}`) // prettier-ignore
const sourcesOf = async (): Promise<readonly string[]> =>
  (await readManifest('app/svc.yaml')).sources.map(({ file }) => file)

describe('what a manifest includes', () => {
  beforeEach(() => {
    write('app/a.yaml', 'app/parts/b.yaml', 'app/parts/c.yaml', 'app/d.yml', 'elsewhere/e.yaml', 'app/..f.yaml')
    symlinkSync(join(folder, 'elsewhere/e.yaml'), 'app/link.yaml')
    symlinkSync(join(folder, 'elsewhere'), 'app/folder')
    symlinkSync('svc.yaml', 'app/self.yaml')
    symlinkSync('a.yaml', 'app/same.yaml')
  })
  const LEAVES = 'leaves the folder of the manifest.'

  it.each([
    ['a.yaml', []],
    ['parts/*.yaml', []],
    ['..f.yaml', []],
    ['same.yaml', ['SVC0127 The include `same.yaml` matches no file.']],
    ['none.yaml', ['SVC0127 The include `none.yaml` matches no file.']],
    ['a.yml', ['SVC0127 The include `a.yml` matches no file. `a.yaml` exists.']],
    ['d.yaml', ['SVC0127 The include `d.yaml` matches no file. `d.yml` exists.']],
    ['svc.yaml', ['SVC0128 The include `svc.yaml` matches the manifest itself.']],
    ['self.yaml', ['SVC0127 The include `self.yaml` matches no file.']],
    ['*.yaml', ['SVC0128 The include `*.yaml` matches the manifest itself.']],
    ['link.yaml', ['SVC0127 The include `link.yaml` matches no file.']],
    ['folder/e.yaml', ['SVC0129 The include `folder/e.yaml` matches a link that leaves the folder of the manifest.']],
    ['folder/*.yaml', ['SVC0129 The include `folder/*.yaml` matches a link that leaves the folder of the manifest.']],
    ['../elsewhere/e.yaml', [`SVC0129 The include \`../elsewhere/e.yaml\` ${LEAVES}`]],
    ['parts/../../elsewhere/e.yaml', [`SVC0129 The include \`parts/../../elsewhere/e.yaml\` ${LEAVES}`]],
    ['parts/..', [`SVC0129 The include \`parts/..\` ${LEAVES}`]],
    ['/etc/hosts', [`SVC0129 The include \`/etc/hosts\` ${LEAVES}`]],
    ['~/a.yaml', [`SVC0129 The include \`~/a.yaml\` ${LEAVES}`]],
    ['C:a.yaml', [`SVC0129 The include \`C:a.yaml\` ${LEAVES}`]],
    ['\\\\a\\b.yaml', [`SVC0129 The include \`\\\\a\\b.yaml\` ${LEAVES}`]],
    ['https://a.example/b.yaml', ['SVC0130 The include `https://a.example/b.yaml` is remote; validation reads no network. Copy the file into the project.']],
    ['FILE://a/b.yaml', ['SVC0130 The include `FILE://a/b.yaml` is remote; validation reads no network. Copy the file into the project.']],
  ])('%s', async (pattern, problems) => {
    put('app/svc.yaml', `include: [${JSON.stringify(pattern)}]\n`)
    expect(await problemsOf()).toEqual(problems)
  }) // prettier-ignore

  it('is read once, in the order of the patterns, by the shortest name', async () => {
    put('app/svc.yaml', 'include: [parts/*.yaml, a.yaml, "{a,d}.{yaml,yml}", parts/c.yaml]\n')
    expect(await sourcesOf()).toEqual(['app/svc.yaml', 'app/parts/b.yaml', 'app/parts/c.yaml', 'app/a.yaml', 'app/d.yml'])
    process.chdir('app/parts')
    expect((await readManifest('../svc.yaml')).sources.map(({ file }) => file)).toEqual(['../svc.yaml', 'b.yaml', 'c.yaml', '../a.yaml', '../d.yml']) // prettier-ignore
    expect((await readManifest(join(folder, 'app/svc.yaml'))).sources[1]?.file).toBe('b.yaml')
  }) // prettier-ignore
})

describe('schemas in files', () => {
  const refer = (...references: readonly string[]): void =>
    put('app/svc.yaml', `x-schemas:\n${references.map((each, n) => `  S${n}: { $ref: ${JSON.stringify(each)} }\n`).join('')}`) // prettier-ignore
  beforeEach(() => {
    write('elsewhere/e.yaml', 'app/d.txt')
    put('app/a.yaml', '{ $ref: ./deep/b.json }\n')
    put('app/deep/b.json', '{ "items": { "$ref": "./c.yml" } }\n')
    put('app/deep/c.yml', '{ $ref: ../a.yaml }\n')
    symlinkSync(join(folder, 'elsewhere/e.yaml'), 'app/link.yaml')
  })
  const AT = '(app/svc.yaml)'

  it.each([
    ['./none.yaml', [`SVC0127 There is no file \`./none.yaml\`. ${AT}`]],
    ['./deep/', []],
    ['../elsewhere/e.yaml', [`SVC0129 The schema \`../elsewhere/e.yaml\` leaves the folder of the manifest. ${AT}`]],
    ['./link.yaml', [`SVC0129 The schema \`./link.yaml\` leaves the folder of the manifest. ${AT}`]],
    ['/a.yaml', [`SVC0129 The schema \`/a.yaml\` leaves the folder of the manifest. ${AT}`]],
    ['./d.txt', [`SVC0127 The schema \`./d.txt\` is no YAML or JSON file. ${AT}`]],
    ['./svc.yaml', [`SVC0128 \`./svc.yaml\` is part of the manifest, and no schema. ${AT}`]],
    ['https://a.example/b.yaml', []],
    ['#/x-schemas/S1', []],
  ])('%s', async (reference, problems) => {
    refer(reference)
    expect(await problemsOf()).toEqual(reference === './deep/' ? [`SVC0127 There is no file \`./deep/\`. ${AT}`] : problems)
  }) // prettier-ignore

  it('are read with those that they refer to, each once', async () => {
    refer('./a.yaml', './deep/c.yml')
    expect(await sourcesOf()).toEqual(['app/svc.yaml', 'app/a.yaml', 'app/deep/c.yml', 'app/deep/b.json'])
    expect([...(await readManifest('app/svc.yaml')).schemaFiles!]).toEqual(['app/a.yaml', 'app/deep/c.yml', 'app/deep/b.json']) // prettier-ignore
    refer('./a.yaml')
    expect(await sourcesOf()).toEqual(['app/svc.yaml', 'app/a.yaml', 'app/deep/b.json', 'app/deep/c.yml'])
    put('app/deep/c.yml', '{ $ref: ./none.yaml }\n')
    expect(await problemsOf()).toEqual(['SVC0127 There is no file `./none.yaml`. (app/deep/c.yml)'])
  })

  it('are at most 200, of 256 KiB each, and of 1 MiB together', async () => {
    const names = Array.from({ length: 201 }, (_, n) => `./many/${n}.yaml`)
    for (const name of names) put(join('app', name), '{}')
    refer(...names.slice(0, 200))
    expect([(await sourcesOf()).length, await problemsOf()]).toEqual([201, []])
    refer(...names)
    expect(await problemsOf()).toEqual([`SVC0127 More than 200 schema files are referred to; this one is not read. ${AT}`])
    const kib = (count: number): string => `# ${'a'.repeat(count * 1024 - 3)}\n`
    put('app/large.yaml', kib(256))
    refer('./large.yaml')
    expect(await problemsOf()).toEqual([])
    put('app/large.yaml', `${kib(256)} `)
    expect(await problemsOf()).toEqual([`SVC0127 The schema \`./large.yaml\` has 262145 bytes; 262144 are the most. ${AT}`])
    for (const n of [0, 1, 2, 3]) put(`app/part${n}.yaml`, kib(256))
    refer('./part0.yaml', './part1.yaml', './part2.yaml', './part3.yaml')
    expect(await problemsOf()).toEqual([])
    put('app/part4.yaml', '{}')
    refer('./part0.yaml', './part1.yaml', './part2.yaml', './part3.yaml', './part4.yaml')
    expect(await problemsOf()).toEqual([`SVC0127 The schema files have more than 1048576 bytes together; this one is not read. ${AT}`]) // prettier-ignore
  }) // prettier-ignore
})

const start = { line: 1, column: 1, offset: 0 }
const found = (file: string, path: string, code = 'SVC6101'): Diagnostic =>
  ({ code, slug: 'a', severity: 'warning', message: 'A.', path, file, range: { start, end: start }, related: [], docs: '' }) // prettier-ignore

describe('a baseline', () => {
  it.each([
    ['{', '`b.json` is no baseline; write it anew with --write-baseline.'],
    ['{"version":2,"findings":[]}', '`b.json` is no baseline; write it anew with --write-baseline.'],
    ['{"version":1}', '`b.json` is no baseline; write it anew with --write-baseline.'],
    ['{"version":1,"findings":[{"code":"SVC6101"}]}', '`b.json` is no baseline; write it anew with --write-baseline.'],
    ['null', '`b.json` is no baseline; write it anew with --write-baseline.'],
    ['{"version":1,"findings":[]}', []],
  ])('that says %s', async (text, wanted) => {
    put('b.json', text)
    expect(await ended(() => readBaseline('b.json'))).toEqual(wanted)
  })

  it('that is not there, and what has outlived its findings', async () => {
    expect(await ended(() => readBaseline('b.json'))).toBe('There is no baseline `b.json`; write one with `svc validate --baseline b.json --write-baseline`.') // prettier-ignore
    expect(staleFinding('b.json', 1)).toMatchObject({ code: 'SVC0009', message: 'The baseline holds 1 finding that no longer occurs; run `svc validate --prune-baseline`.' }) // prettier-ignore
    expect(staleFinding('b.json', 2).message).toContain('holds 2 findings that no longer occur;')
  })

  it('keeps what stands in files that were not checked and are there', () => {
    write('checked.yaml', 'other.yaml')
    const entry = (file: string) => ({ fingerprint: `of ${file}`, code: 'SVC6101', file, path: 'a' })
    const entries = ['checked.yaml', 'other.yaml', 'gone.yaml'].map(entry)
    const run = { sources: [{ file: 'checked.yaml', text: '' }], diagnostics: [found('checked.yaml', 'a')] }
    const { fresh, kept, stale } = compare(run, entries)
    expect([fresh.length, kept, stale]).toEqual([1, [entry('other.yaml')], 2])
  })
})

describe('reports', () => {
  it.each([
    ['sarif=a/b.sarif', [{ format: 'sarif', file: 'a/b.sarif' }]],
    ['json=a=b', [{ format: 'json', file: 'a=b' }]],
    ['xml=a', '--out `xml=a` is not format=file; the formats are text, json, sarif, github, gitlab, junit.'],
    ['json=', '--out `json=` is not format=file; the formats are text, json, sarif, github, gitlab, junit.'],
    ['json', '--out `json` is not format=file; the formats are text, json, sarif, github, gitlab, junit.'],
    ['json=-', '--out json=- names no file; `--format json` prints to standard output.'],
  ])('--out %s', async (option, wanted) => {
    expect(await ended(() => outputsOf([option]))).toEqual(wanted)
  })

  it('are not written over what was checked', async () => {
    write('svc.yaml')
    const sources = [{ file: 'svc.yaml', text: '' }]
    const refused = '`./svc.yaml` is one of the files that were checked, and would be overwritten; name another file.'
    expect(await ended(() => refuseToOverwrite('./svc.yaml', sources))).toBe(refused)
    expect(await ended(() => refuseToOverwrite('stdin', [{ file: 'stdin', text: '' }]))).toBe(undefined)
  })

  it('are none, where one of them would be written over what was checked', async () => {
    write('svc.yaml', 'more.yaml')
    const sources = ['svc.yaml', 'more.yaml'].map((file) => ({ file, text: '' }))
    const outputs = outputsOf(['json=report.json', 'sarif=./more.yaml'])
    expect(await ended(() => writeReports(outputs, { sources, diagnostics: [] }))).toContain('`./more.yaml` is one of')
    expect([existsSync('report.json'), readFileSync('more.yaml', 'utf8')]).toEqual([false, 'text of more.yaml\n'])
  })

  it('name files in data from where they are asked to, in each file', async () => {
    write('app/svc.yaml')
    const run = { sources: [{ file: 'app/svc.yaml', text: '' }], diagnostics: [found('app/svc.yaml', 'a')] }
    const outputs = outputsOf(['json=reports/one.json', 'json=two.json'])
    const files = () => outputs.map(({ file }) => /"file": "([^"]+)"/u.exec(readFileSync(file, 'utf8'))?.[1])
    await writeReports(outputs, run)
    expect(files()).toEqual(['app/svc.yaml', 'app/svc.yaml'])
    await writeReports(outputs, run, 'app')
    expect(files()).toEqual(['svc.yaml', 'svc.yaml'])
  })

  it('name files from the folder of the option, of the job, or of the repository', () => {
    vi.stubEnv('GITHUB_WORKSPACE', '')
    vi.stubEnv('CI_PROJECT_DIR', '')
    expect(repositoryOf(undefined)).toBe(folder)
    mkdirSync('a/b', { recursive: true })
    put('a/.git', 'gitdir: elsewhere\n')
    process.chdir('a/b')
    expect(repositoryOf(undefined)).toBe(join(folder, 'a'))
    vi.stubEnv('CI_PROJECT_DIR', '/project')
    expect(repositoryOf(undefined)).toBe('/project')
    vi.stubEnv('GITHUB_WORKSPACE', '/workspace')
    expect(repositoryOf(undefined)).toBe('/workspace')
    expect(repositoryOf('..')).toBe(join(folder, 'a'))
  })

  it('name each place of a finding so, but what lies outside or is no file', () => {
    write('app/svc.yaml', 'app/more.yaml', 'out.yaml')
    const at = (file: string) => ({ file, range: { start, end: start } })
    const run = {
      sources: [{ file: 'app/svc.yaml', text: '' }, { file: 'stdin', text: '' }],
      diagnostics: [{ ...found('app/svc.yaml', 'a'), related: [{ ...at('app/more.yaml'), message: 'B.' }], fix: [{ ...at('app/more.yaml'), newText: 'c' }] }, found('out.yaml', 'a'), found('stdin', 'a')],
    } // prettier-ignore
    const { sources, diagnostics } = runFrom(join(folder, 'app'), run)
    expect(sources.map(({ file }) => file)).toEqual(['svc.yaml', 'stdin'])
    expect(diagnostics.map(({ file }) => file)).toEqual(['svc.yaml', 'out.yaml', 'stdin'])
    expect([diagnostics[0]?.related[0]?.file, diagnostics[0]?.fix?.[0]?.file]).toEqual(['more.yaml', 'more.yaml'])
  })

  it.each([
    [true, { NO_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '1' }, false],
    [undefined, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [undefined, { FORCE_COLOR: '1' }, true],
    [undefined, { FORCE_COLOR: '0' }, false],
    [undefined, { FORCE_COLOR: 'false' }, true],
    [undefined, {}, false],
  ])('with --color %s and %j are coloured: %s', (option, environment, wanted) => {
    for (const name of ['NO_COLOR', 'FORCE_COLOR']) vi.stubEnv(name, '')
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
    expect(wantsColor(option)).toBe(wanted)
  })
})
