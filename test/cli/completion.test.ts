import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-completion-'))
  writeFileSync(join(folder, 'svc.yaml'), readFileSync('examples/travel/svc.yaml'))
  symlinkSync(join(process.cwd(), 'bin/svc.cjs'), join(folder, 'svc'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const svc = (...args: readonly string[]): readonly string[] => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(process.cwd(), 'bin/svc.cjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
  return stdout.split('\n').slice(0, -1)
}
const offered = (...words: readonly string[]): readonly string[] => svc('completion', 'bash', '--', ...words)

describe('svc completion offers', () => {
  it.each([
    [['vali'], ['validate']],
    [['keys', 'ro'], ['rotate']],
    [['call', 'book'], ['book_flight']],
    [['call', '--wait-approval', 'plan'], ['plan_trip']],
    [['call', '--url', 'https://there.example', 'get_d'], ['get_destination']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['explain', 'scope-empty-on-r'], ['scope-empty-on-read']],
    [['explain', 'requires_p'], ['requires_principal']],
    [['schema', 'diag'], ['diagnostics']],
    [['agent-guide', '--o'], ['--out']],
    [['validate', 'examples/'], []],
    [['nothing', ''], []],
  ])('after svc %j: %j', (words, offers) => {
    expect(offered(...words)).toEqual(offers)
  })

  it('with what a capability is for, where the shell shows that', () => {
    expect(svc('completion', 'zsh', '--', 'call', 'book')).toEqual(['book_flight:Book a quoted flight'])
    expect(svc('completion', 'fish', '--', 'call', 'book')).toEqual(['book_flight\tBook a quoted flight'])
  })

  it('capabilities of a manifest that is not valid yet, and nothing that steers the terminal', () => {
    const broken = mkdtempSync(join(tmpdir(), 'svc-completion-'))
    try {
      writeFileSync(join(broken, 'svc.yaml'), 'capabilities:\n  one: {description: "A \\e[2J b"}\n  two:\n')
      const { stdout } = spawnSync(
        process.execPath,
        [join(process.cwd(), 'bin/svc.cjs'), 'completion', 'fish', '--', 'call', ''],
        { cwd: broken, encoding: 'utf8' },
      )
      expect(stdout).toBe('one\tA \\u001b[2J b\ntwo\t\n')
    } finally {
      rmSync(broken, { recursive: true })
    }
  })
})

describe('the script of a shell', () => {
  it('completes in bash', () => {
    const script = `PATH=".:$PATH"
eval "$(svc completion bash)"
COMP_WORDS=(svc call bo); COMP_CWORD=2; _svc; printf '%s\\n' "\${COMPREPLY[@]}"
COMP_WORDS=(svc ''); COMP_CWORD=1; _svc; printf '%s\\n' "\${COMPREPLY[0]}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' })
    expect([stdout, stderr]).toEqual(['book_flight\ninit\n', ''])
  })

  it.each(['zsh', 'fish'])('is there for %s', (shell) => {
    expect(svc('completion', shell).join('\n')).toContain(`completion ${shell} --`)
    // Whoever has the shell has it read the script.
    const { error, status, stderr } = spawnSync(shell, ['-n'], {
      input: svc('completion', shell).join('\n'),
      encoding: 'utf8',
    })
    if (error === undefined) expect([status, stderr]).toEqual([0, ''])
  })
})
