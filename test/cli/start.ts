import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A copy of what a user installs, whose cache of compiled code is its own. */
export function installedAt(folder: string): string {
  mkdirSync(join(folder, 'dist'), { recursive: true })
  cpSync('bin', join(folder, 'bin'), { recursive: true })
  cpSync('dist/bundle', join(folder, 'dist/bundle'), { recursive: true })
  for (const path of ['package.json', 'templates', 'schemas', 'node_modules'])
    symlinkSync(resolve(path), join(folder, path))
  return folder
}

const { NODE_OPTIONS: _, NODE_V8_COVERAGE: __, NODE_DISABLE_COMPILE_CACHE: ___, CI: ____, ...env } = process.env

/** Runs the command line of an installation. */
export function svcOf(
  home: string,
  args: readonly string[],
  options: { readonly node?: string; readonly cwd?: string; readonly env?: object } = {},
): Ran {
  const { node = process.execPath, cwd = home } = options
  const { status, stdout, stderr } = spawnSync(node, [join(home, 'bin/svc.cjs'), ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    env: { ...env, NO_COLOR: '1', ...options.env },
  })
  return { status, stdout, stderr }
}

/** The paths of all commands: `validate`, `keys`, `keys rotate`, … */
export function commandsOf(home: string, path: readonly string[] = []): readonly (readonly string[])[] {
  const { stdout } = svcOf(home, [...path, '--help'])
  const groups = stdout
    .split('\n\n')
    .filter((text) => /^(?!Arguments|Examples|Options|Schemas)[A-Z][a-z ]*:\n/u.test(text))
  const names = groups.flatMap((text) => [...text.matchAll(/^ {2}([a-z][a-z-]*)/gmu)].map(([, name]) => name!))
  return names.flatMap((name) => (name === 'help' ? [] : [[...path, name], ...commandsOf(home, [...path, name])]))
}
