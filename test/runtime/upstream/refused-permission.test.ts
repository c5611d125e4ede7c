/** What a server that its walls refused something is told to be given. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { upstreamTools } from '../../../src/cli/import/list-tools.js'
import type { CliError } from '../../../src/cli/shared/errors/cli-error.js'
import { refusedPermission } from '../../../src/runtime/upstream/mcp/refused-permission.js'
import type { PinnedProcess } from '../../../src/runtime/upstream/mcp/pinned.js'

const PINNED: PinnedProcess = {
  package: 'notes',
  version: '1.0.0',
  integrity: 'sha512-x',
  files: 'sha256:x',
  file: 'index.js',
  args: [],
  env: [],
  paths: [],
  allow: [],
}

const denied = (permission: string, resource?: string): string =>
  `Error: Access to this API has been restricted\n    at x {\n  code: 'ERR_ACCESS_DENIED',\n  permission: '${permission}'` +
  `${resource === undefined ? '' : `,\n  resource: '${resource}'`}\n}\n`

describe('what a server was refused', () => {
  it.each([
    [denied('FileSystemRead', '/srv/my data'), "FileSystemRead of /srv/my data. This gives it: svc import mcp --path '/srv/my data'"],
    [denied('FileSystemWrite', '/srv/a'), 'FileSystemWrite of /srv/a. This gives it: svc import mcp --path /srv/a'],
    [denied('FileSystemRead'), "FileSystemRead. This gives it: svc import mcp --path <path>"],
    [denied('FileSystemRead', '/proc/1/stat'), 'FileSystemRead of /proc/1/stat. This gives it: svc import mcp --confinement none --reason "<why>"'],
    [denied('ChildProcess'), 'ChildProcess. This gives it: svc import mcp --allow child-process'],
    [denied('WorkerThreads'), 'WorkerThreads. This gives it: svc import mcp --allow worker'],
    [denied('Net', 'a.example'), 'Net of a.example. This gives it: svc import mcp --network <hosts>'],
    ["{ code: 'ERR_DLOPEN_DISABLED' }", 'native addons. This gives it: svc import mcp --allow addons'],
    ['Error: getaddrinfo EAI_AGAIN api.example.com', 'the host api.example.com. This gives it: svc import mcp --network api.example.com'],
    ["Error: EROFS: read-only file system, open '/srv/a/log'", 'writing to /srv/a/log. This gives it: svc import mcp --path /srv/a/log'],
  ])('is named with the option that gives it: %j', (said, named) => {
    expect(refusedPermission(PINNED, said)).toBe(`It was refused ${named}`)
  }) // prettier-ignore

  it.each([
    ['of nothing', PINNED, 'Usage: notes --token <token>'],
    ['of a permission that no option gives', PINNED, denied('Inspector')],
    ['of a member that is none', PINNED, denied('toString')],
    ['of a server without walls', { ...PINNED, confinement: 'none' } as const, denied('ChildProcess')],
    ['of a server at an address', { url: 'https://a.example', credential: 'A' }, denied('ChildProcess')],
  ])('is left out where it tells %s', (_, server, said) => expect(refusedPermission(server, said)).toBe(''))
})

/** Installs a package whose server is this text. */
function installed(text: string) {
  const root = mkdtempSync(join(tmpdir(), 'svc-refused-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }))
  const home = join(root, 'node_modules/notes')
  mkdirSync(home, { recursive: true })
  mkdirSync(join(root, 'own'))
  writeFileSync(join(home, 'package.json'), '{"name": "notes", "version": "1.0.0"}')
  writeFileSync(join(home, 'index.js'), text)
  return { name: 'notes', server: PINNED, place: { home, own: join(root, 'own') } }
}

const linesOf = (text: string): Promise<readonly string[]> =>
  upstreamTools(installed(text)).then(
    () => [],
    (error: unknown) => (error as CliError).lines,
  )

describe('a server that does not start', () => {
  it('has the refused permission named, and its last words a line each', async () => {
    const [why, refused, ...words] = await linesOf("require('node:child_process').execSync('id')")
    expect([why, refused]).toEqual([
      'notes does not list its tools: The server ended.',
      'It was refused ChildProcess. This gives it: svc import mcp --allow child-process',
    ])
    expect(words.join('\n')).toContain("\n    permission: 'ChildProcess'")
  }, 60_000)

  it('that says nothing of it has what its walls keep from it named', async () => {
    const [why, hint, heading, ...words] = await linesOf("console.error('Usage: notes <token>'); process.exit(1)")
    expect([why, hint, heading, words.at(-1)]).toEqual([
      'notes does not list its tools: The server ended.',
      'It runs confined: it sees its package and the paths among its arguments, starts no process, and has no network. ' +
        'Give it more with --path <path>, --allow <power> such as child-process, or --network <hosts>.',
      'Its last words:',
      '  Usage: notes <token>',
    ])
  }, 60_000)
})
