import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import type { EmittedFile } from '../../../src/compiler/emitted.js'
import { emit } from '../../../src/compiler/emit.js'
import { newMemo } from '../../../src/compiler/plan/memo.js'
import type { Manifest } from '../../../src/protocol/manifest.js'
import { compile, folderWithPackages, remove } from '../../types/project.js'

const { manifestOf } = (await import('../../../bench/build/manifest.js' as string)) as {
  manifestOf(count: number): string
}

const manifestFrom = (text: string): Manifest => check([{ file: 'svc.yaml', text }]).manifest!
const filesOf = (manifest: Manifest, remember = newMemo()): readonly EmittedFile[] =>
  emit(manifest, { generator: 'svc', remember }).files
const isCode = ({ path }: EmittedFile): boolean => path.startsWith('generated/')
const linesOf = (files: readonly EmittedFile[]): number =>
  files.reduce((lines, { text }) => lines + text.split('\n').length, 0)

const text = manifestOf(1000)
const files = filesOf(manifestFrom(text))

describe('a service of 1,000 capabilities', () => {
  it('has no file that a person would not open', () => {
    const long = files
      .filter(isCode)
      .map(({ path, text }) => [path, text.split('\n').length] as const)
      .filter(([, lines]) => lines > 2500)
    expect(long).toEqual([])
  })

  it('needs few lines a capability for types, registry and client', () => {
    const counted = files.filter(({ path }) => /^generated\/(?:types|client)[./]/u.test(path))
    expect(linesOf(counted) / 1000).toBeLessThan(35)
  })

  it('is the same, whatever the order of its capabilities', () => {
    const manifest = manifestFrom(text)
    const turned = { ...manifest, capabilities: Object.fromEntries(Object.entries(manifest.capabilities).reverse()) }
    expect(filesOf(turned)).toEqual(files)
  })

  it('changes only what an edit touches', () => {
    const edited = filesOf(manifestFrom(text.replace('number 5,', 'number five,')))
    const before = new Map(files.map((file) => [file.path, file.text]))
    const changed = edited.filter((file) => before.get(file.path) !== file.text).map(({ path }) => path)
    expect(changed.length).toBeLessThan(18)
    expect(changed.filter((path) => path.startsWith('generated/types/'))).toHaveLength(1)
  })

  it('remembers right: an edit gives what a fresh run gives', () => {
    const remember = newMemo()
    filesOf(manifestFrom(text), remember)
    const edited = manifestFrom(
      text.replace('number 5,', 'number five,').replace('allowed_values: [emea, apac, amer]', 'allowed_values: [emea]'),
    )
    expect(filesOf(edited, remember)).toEqual(filesOf(edited))
  })
})

describe('its code', () => {
  let folder: string
  beforeAll(() => {
    folder = folderWithPackages()
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
    for (const { path, text } of files.filter(isCode)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  })
  afterAll(() => remove(folder))

  it('compiles', () => {
    expect(compile(folder, 'typescript', 'NodeNext', ['generated'])).toEqual([])
  }, 120_000)

  it('is left as it is by a formatter', () => {
    const options = join(mkdtempSync(join(tmpdir(), 'svc-format-')), 'format.json')
    writeFileSync(options, '{ "semi": false, "singleQuote": true, "printWidth": 120 }')
    const run = spawnSync(
      process.execPath,
      [resolve('node_modules/oxfmt/bin/oxfmt'), '-c', options, '--check', 'generated'],
      { cwd: folder, encoding: 'utf8' },
    )
    rmSync(dirname(options), { recursive: true })
    expect(run.stdout).toContain('All matched files use the correct format.')
  })
})
