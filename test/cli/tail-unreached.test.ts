import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

/** A port that `fetch` never opens. */
const NOWHERE = 'http://127.0.0.1:1'

it('ends at once where no service answers, though it would wait a minute for one that is silent', () => {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [resolve('bin/svc.cjs'), 'audit', 'tail'], {
    encoding: 'utf8',
    timeout: 45_000,
    env: { ...process.env, NO_COLOR: '1', SVC_URL: NOWHERE, SVC_TOKEN: 'any' },
  })
  expect({ status, signal, stdout }).toEqual({ status: 2, signal: null, stdout: '' })
  expect(stderr).toContain('--url or SVC_URL names the service.')
}, 60_000)
