import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs' // prettier-ignore
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { devServer } from '../../src/cli/dev/server.js'
import { makeIdentities } from '../../src/cli/dev/identities.js'
import { atTerminal } from './terminal.js'

const SVC = resolve('bin/svc.cjs')

function service(): string {
  const parent = mkdtempSync(join(tmpdir(), 'svc-identities-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true, maxRetries: 5 }))
  const folder = join(parent, 'trips')
  expect(spawnSync(process.execPath, [SVC, 'init', folder, '--yes', '--template', 'travel']).status).toBe(0)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
  return folder
}

interface Ran {
  readonly code: number
  readonly stdout: string
}

it('svc dev gives an identity for every role, and an approver decides with a key', async () => {
  const folder = service()
  const { says, press, ended } = atTerminal(folder, ['dev'], 'q')
  const url = await says(/API +(http\S+)/u)
  expect(await says(/Console +(http\S+)/u)).toBe(`${url}/-/console/`)
  const as = (file: string, ...args: readonly string[]): Promise<Ran> =>
    new Promise((done) => {
      const env = { ...process.env, NO_COLOR: '1', SVC_URL: url, SVC_TOKEN: '', SVC_TOKEN_FILE: `.svc-dev/${file}` }
      execFile(process.execPath, [SVC, ...args], { env, cwd: folder }, (error, stdout) =>
        done({ code: error === null ? 0 : Number(error.code), stdout }),
      )
    })
  await says(/Keys +s call as the agent/u)
  expect(await (await fetch(`${url}/-/console/api/me`)).json()).toMatchObject({ takes_keys: true })
  press('a')
  await says(/approvals list[\s\S]*No requests\./u)
  press('s')
  await says(/svc call search_flights origin=LIS destination=BER date=2030-05-01/u)
  await says(
    /svc call book_flight quote_id=bnd_\S+ passengers:=1[\s\S]*approval_required: [\s\S]*Then press s again\./u,
  )
  press('a')
  await says(/svc approvals show apr_[\s\S]*requested by +agent:assistant[\s\S]*Approve it\? y or n/u)
  press('y')
  await says(/svc approvals approve apr_[\s\S]*Approved: /u)
  press('s')
  await says(/svc call book_flight quote_id=bnd_\S+ passengers:=1[\s\S]*"booking_id"/u)
  press('t')
  await says(/\.svc-dev\/auditor\.key npx svc audit list[\s\S]*ok {2}book_flight {2}/u)

  expect(await as('auditor.key', 'audit', 'list', '--capability', 'book_flight')).toMatchObject({ code: 0, stdout: expect.stringContaining('agent:assistant for human:developer@localhost') as string }) // prettier-ignore
  expect(await as('operator.key', 'operate', 'tokens')).toMatchObject({ code: 0, stdout: expect.stringContaining('agent:assistant') as string }) // prettier-ignore
  expect((await as('developer.key', 'token', 'issue', '--scope', 'travel.book')).code).toBe(0)
  expect((await as('auditor.key', 'operate', 'tokens')).code).toBe(1)
  for (const name of ['agent.token', 'developer.key', 'approver.key', 'auditor.key', 'operator.key', 'api-keys.json'])
    expect(statSync(join(folder, '.svc-dev', name)).mode & 0o777).toBe(0o600)
  press('q')
  expect((await ended)[0]).toBe(0)
}, 300_000)

it('writes no key through a link', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'svc-dev-link-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true, maxRetries: 5 }))
  const [root, other] = [join(parent, 'service'), join(parent, 'other')]
  for (const each of [root, other]) mkdirSync(each)
  writeFileSync(join(root, 'api-keys.json'), '[]')
  symlinkSync(other, join(root, '.svc-dev'), 'junction')
  await expect(makeIdentities(root, {})).rejects.toThrow('.svc-dev is a link, or no folder. Remove it.')
  expect(readdirSync(other)).toEqual([])
})

it.each(['node_modules/.cache', 'node_modules/.cache/svc-dev', 'node_modules'])(
  'removes nothing and runs nothing where %s is a link',
  (path) => {
    const parent = mkdtempSync(join(tmpdir(), 'svc-dev-link-'))
    onTestFinished(() => rmSync(parent, { recursive: true, force: true, maxRetries: 5 }))
    const last = join(parent, 'other', 'node_modules/.cache/svc-dev/server.mjs'.slice(path.length))
    mkdirSync(dirname(last), { recursive: true })
    writeFileSync(last, '')
    mkdirSync(dirname(join(parent, 'service', path)), { recursive: true })
    symlinkSync(join(parent, 'other'), join(parent, 'service', path), 'junction')
    devServer(join(parent, 'service'), { environment: () => Promise.resolve({}), listening: () => Promise.resolve() })
    expect(existsSync(last)).toBe(true)
  },
)
