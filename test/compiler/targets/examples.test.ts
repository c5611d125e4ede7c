import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import { formatManifest } from '../../../src/compiler/fix/format.js'
import { emit } from '../../../src/compiler/emit.js'
import type { Manifest } from '../../../src/protocol/manifest.js'

const examples = readdirSync('examples').filter((name) => existsSync(join('examples', name, 'svc.yaml')))

describe.each(examples)('examples/%s', (name) => {
  const folder = join('examples', name)
  const { diagnostics, manifest } = check([{ file: 'svc.yaml', text: readFileSync(join(folder, 'svc.yaml'), 'utf8') }])

  it('has nothing to say about', () => {
    expect(diagnostics).toEqual([])
  })

  it('is laid out as svc fmt does', () => {
    const text = readFileSync(join(folder, 'svc.yaml'), 'utf8')
    expect(formatManifest(text)).toBe(text)
  })

  it('is up to date with what would be generated', async () => {
    const files = generated(manifest!)
    for (const { path, text } of files) await expect(text).toMatchFileSnapshot(join('../../..', folder, path))
    const there = readdirSync(join(folder, 'generated'), { recursive: true, encoding: 'utf8' })
    expect(
      there
        .filter((path) => path.includes('.'))
        .map((path) => `generated/${path}`)
        .sort(),
    ).toEqual(files.map(({ path }) => path).sort())
  })

  it('reaches the runtime whole: every declared field comes back', () => {
    const text = generated(manifest!).find(({ path }) => path === 'generated/manifest.ts')!.text
    expect(literalsOf(text)).toEqual(JSON.parse(JSON.stringify(manifest)))
  })
})

const generated = (manifest: Manifest) =>
  emit(manifest, { generator: 'svc 0.1.0' }).files.filter(({ path }) => path.startsWith('generated/'))

/** The manifest in generated code, read without running it. */
function literalsOf(text: string): unknown {
  const lines = text.split('\n').flatMap((line) => /^ {4}'(.*)',$/u.exec(line)?.slice(1, 2) ?? [])
  return JSON.parse(lines.map((line) => line.replaceAll(/\\(['\\])/gu, '$1')).join(''))
}
