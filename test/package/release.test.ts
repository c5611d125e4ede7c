import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

let folder: string
const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
const release = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('.ci/release.js'), ...args], { cwd: folder, encoding: 'utf8' }) // prettier-ignore
  return { status, said: stdout + stderr }
}
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-release-'))
  write('package.json', '{"name":"kit","version":"0.1.0","files":["README.md"]}\n')
  write('README.md', '# kit\n')
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- One.\n\n### Two\n\n- `Three`.\n\n## 0.1.0 - 2026-01-01\n\n- Zero.\n') // prettier-ignore
  git('init', '--quiet', '--initial-branch=main')
  for (const [name, value] of [['user.name', 'a'], ['user.email', 'a@a.example'], ['commit.gpgsign', 'false'], ['tag.gpgsign', 'false']] as const) git('config', name, value) // prettier-ignore
  git('add', '--all')
  git('commit', '--quiet', '--message', 'All')
})
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

it('writes the version and the day of its notes, commits, and tags with the notes', () => {
  expect(release('prepare', '0.2.0')).toEqual({
    status: 0,
    said: 'v0.2.0 is committed and tagged. Check it, then: git push --follow-tags\n',
  })
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.2.0' })
  const day = new Date().toISOString().slice(0, 10)
  expect(read('CHANGELOG.md')).toContain(`## Unreleased\n\n## 0.2.0 - ${day}\n\n- One.\n`)
  expect(git('log', '-1', '--format=%s')).toBe('Release 0.2.0')
  expect(git('tag', '--list', '--format=%(contents)', 'v0.2.0')).toBe('0.2.0\n\n- One.\n\n### Two\n\n- `Three`.')
  expect(git('status', '--porcelain')).toBe('')
})

it('publishes at the tag of its version alone, and with provenance only what names its repository', () => {
  expect(release('publish', '--dry-run').said).toBe('release: this commit has no tag v0.1.0. Run: node .ci/release.js prepare 0.1.0\n') // prettier-ignore
  release('prepare', '0.2.0-rc.1')
  expect(release('publish', '--dry-run')).toEqual({ status: 0, said: expect.stringContaining('with tag next and public access (dry-run)') }) // prettier-ignore
  expect(release('publish')).toEqual({
    status: 2,
    said: 'release: package.json names no repository, which provenance is compared with.\n',
  })
})

it.each([
  ['no version', ['prepare'], () => undefined, 'name a version, such as: node .ci/release.js prepare 0.2.0'],
  ['an open change', ['prepare', '0.2.0'], () => write('a', ''), 'there are changes that are not committed.'],
  ['a version that is there', ['prepare', '0.2.0'], () => git('tag', 'v0.2.0'), 'there is a tag v0.2.0.'],
  ['no notes', ['prepare', '0.2.0'], () => { write('CHANGELOG.md', '## Unreleased\n\n## 0.1.0\n'); git('commit', '--all', '--quiet', '--message', 'b') }, 'CHANGELOG.md has nothing under Unreleased.'],
  ['another word', ['ship'], () => undefined, 'the commands are prepare <version> and publish [--dry-run].'],
])('refuses %s', (_, args, before, said) => {
  before()
  expect(release(...args)).toEqual({ status: 2, said: `release: ${said}\n` })
}) // prettier-ignore
