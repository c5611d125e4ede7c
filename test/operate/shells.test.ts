/** Completion in zsh and fish of Debian, typed as a person types it. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unpackedPackages } from './debian.js'

const LIBRARIES = 'usr/lib/x86_64-linux-gnu'
/** A zsh types `svc call bo` and a tab into another one. */
const TYPED = String.raw`
root=$1
module_path=($root/${LIBRARIES}/zsh/5.9)
zmodload zsh/zpty || exit 1
zpty shell "$root/bin/zsh -f -i"
zpty -w shell "module_path=($module_path); fpath=($root/usr/share/zsh/functions $root/usr/share/zsh/functions/**/*(/N)); PATH=\".:\$PATH\"; autoload -Uz compinit; compinit -D -u; eval \"\$(svc completion zsh)\"; echo read''y"
zpty -r shell line '*ready*'
zpty -n -w shell $'svc call bo\t'
zpty -r shell line '*book_flight*'
print -r -- "$line"
zpty -d shell
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-shells-'))
  copyFileSync('examples/travel/svc.yaml', join(folder, 'svc.yaml'))
  symlinkSync(resolve('bin/svc.cjs'), join(folder, 'svc'))
  writeFileSync(join(folder, 'typed.zsh'), TYPED)
})
afterAll(() => rmSync(folder, { recursive: true }))

const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): string =>
  spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, PATH: `.:${process.env['PATH']}`, HOME: folder, ...env },
  }).stdout

it('completes a capability in fish, with what it is for', () => {
  const root = unpackedPackages(['fish', 'fish-common', 'libpcre2-32-0'])
  const script = 'svc completion fish | source; complete -C "svc call bo"'
  const offered = run(join(root, 'usr/bin/fish'), ['--no-config', '-c', script], {
    LD_LIBRARY_PATH: join(root, LIBRARIES),
  })
  expect(offered).toBe('book_flight\tBook a quoted flight\n')
})

it('completes a capability in zsh', () => {
  const root = unpackedPackages(['zsh', 'zsh-common'])
  expect(run(join(root, 'bin/zsh'), ['-f', 'typed.zsh', root], { TERM: 'dumb' })).toContain('svc call book_flight')
})
