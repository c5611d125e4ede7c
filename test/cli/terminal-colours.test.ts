/** Colours of findings by the terminal that a person has: script(1) is one. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const SVC = resolve('bin/svc.cjs')

it.each<[string, object, boolean]>([
  ['xterm', {}, true],
  ['dumb', {}, false],
  ['xterm', { NO_COLOR: '1' }, false],
  ['dumb', { FORCE_COLOR: '1' }, true],
])('at a terminal of the kind %s, with %j, findings are coloured: %s', (TERM, environment, isColoured) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-colours-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'svc.yaml'), 'trust: { level: signed }\n')
  const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env
  const { stdout } = spawnSync('script', ['-qfec', `'${process.execPath}' '${SVC}' validate`, '/dev/null'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...inherited, TERM, ...environment },
  })
  expect(stdout).toContain('svc.yaml')
  expect(stdout.includes('\u001B[')).toBe(isColoured)
})
