/** The command line by which docker or podman runs a server (`svc import mcp --container`). */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { containerChannel } from '../../../src/runtime/upstream/mcp/container.js'

const IMAGE = `mcp/files@sha256:${'a'.repeat(64)}`

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'svc-container-'))))
afterEach(() => rmSync(folder, { recursive: true, maxRetries: 20 }))

/** A program that writes its arguments and its environment down; `image inspect` ends as it is said. */
function engine(name: string, hasImage: boolean): void {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const file = join(folder, 'bin', name)
  const script = `#!/bin/sh
if [ "$1" = image ]; then exit ${hasImage ? 0 : 1}; fi
{ printf '%s\\n' "$0" "$@"; env | cut -d= -f1; } > '${folder}/'"$1"
`
  writeFileSync(file, script)
  chmodSync(file, 0o755)
}

const environment = () => ({
  PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
  HOME: '/home/ana',
  TOKEN: 'secret',
  SVC_DEVELOPER_KEY: 'key',
})

const start = (image = IMAGE) =>
  containerChannel(
    { confinement: 'container', image, args: ['--root', '/data'], env: ['TOKEN'] },
    environment(),
    () => undefined,
  )

const linesOf = (name: string): readonly string[] => {
  try {
    return readFileSync(join(folder, name), 'utf8').trim().split('\n')
  } catch {
    return []
  }
}

it.each([
  ['docker', { docker: true, podman: true }],
  ['podman', { docker: false, podman: true }],
] as const)('is that of %s: no network, nothing written, nothing fetched, no right, no value of a variable', async (name, has) => {
  engine('docker', has.docker)
  engine('podman', has.podman)
  start()
  await expect.poll(() => linesOf('run').length).toBeGreaterThan(14)
  const [program, ...given] = linesOf('run')
  const args = given.slice(0, given.indexOf('/data') + 1)
  expect(program).toBe(join(folder, 'bin', name))
  expect(args.map((arg) => arg.replace(/^--name=svc-upstream-\w{6}$/u, '--name=<name>'))).toEqual([
    'run', '--name=<name>', '--rm', '--interactive', '--pull=never', '--network=none', '--read-only', '--log-driver=none',
    '--cap-drop=ALL', '--security-opt=no-new-privileges', '--pids-limit=512', '--ulimit=data=2147483648', '--env=TOKEN', IMAGE, '--root', '/data',
  ])
  expect(given.join('\n')).not.toMatch(/secret|SVC_DEVELOPER_KEY/u)
  await expect.poll(() => linesOf('rm').slice(1, 3)).toEqual(['rm', '--force'])
}) // prettier-ignore

it('is not run where no engine has the image, or where its name may mean another one later', () => {
  engine('docker', false)
  engine('podman', false)
  expect(() => start()).toThrow(`Neither docker nor podman has the image here. Run: docker pull ${IMAGE}`)
  for (const image of [
    'mcp/files',
    'mcp/files:1.0',
    `--privileged@sha256:${'a'.repeat(64)}`,
    `sha256:${'a'.repeat(63)}`,
  ])
    expect(() => start(image)).toThrow('must be named by its digest')
  expect(linesOf('run')).toEqual([])
})
