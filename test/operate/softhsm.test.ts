/** `svc signer` with keys in a PKCS#11 module, as docs/guides/signer.md does it: SoftHSM and pkcs11-tool of Debian. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { readSignerKeys } from '../../src/runtime/node.js'
import { startFixture } from '../runtime/fixture/service.js'
import { unpackedPackages } from './debian.js'

const SECRET = 'a secret that the service and its signer know'
const SVC = resolve('bin/svc.cjs')
const folder = mkdtempSync(join(tmpdir(), 'svc-softhsm-'))
const programs = unpackedPackages(['softhsm2', 'softhsm2-common', 'libsofthsm2', 'opensc', 'opensc-pkcs11'])
const MODULE = join(programs, 'usr/lib/softhsm/libsofthsm2.so')
const libraries = readdirSync(join(programs, 'usr/lib')).filter((name) => name.endsWith('-linux-gnu'))
const env = {
  ...process.env,
  MODULE,
  PIN: '1234',
  PATH: `${join(programs, 'usr/bin')}:${process.env['PATH']}`,
  SOFTHSM2_CONF: join(folder, 'softhsm2.conf'),
  LD_LIBRARY_PATH: libraries.map((name) => join(programs, 'usr/lib', name)).join(':'),
}
const program = (name: string) => join(programs, 'usr/bin', name)
const run = (name: string, ...args: readonly string[]) => execFileSync(name, args, { env, cwd: folder, stdio: 'pipe' })
const pkcs11 = (...args: readonly string[]) =>
  run(program('pkcs11-tool'), '--module', MODULE, '--token-label', 'shop', ...args)

let signer: ReturnType<typeof spawn> | undefined
afterAll(() => {
  signer?.kill()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

it('a service signs manifest and tokens with keys that never leave the module', async () => {
  mkdirSync(join(folder, 'tokens'))
  writeFileSync(env.SOFTHSM2_CONF, `directories.tokendir = ${join(folder, 'tokens')}\nobjectstore.backend = file\n`)
  run(program('softhsm2-util'), '--module', MODULE, '--init-token', '--free', '--label', 'shop', '--so-pin', '5678', '--pin', '1234') // prettier-ignore
  for (const [role, id] of [
    ['manifest', '01'],
    ['tokens', '02'],
    ['audit', '03'],
  ] as const) {
    pkcs11('--pin', '1234', '--keypairgen', '--key-type', 'EC:prime256v1', '--id', id, '--label', role)
    pkcs11('--read-object', '--type', 'pubkey', '--id', id, '--output-file', `${role}.der`)
    run(process.execPath, SVC, 'keys', 'generate', '--dir', 'keys', '--role', role, '--public-key', `${role}.der`)
  }
  // The secret of the rows is no key that signs: the signer has it as a file.
  run(process.execPath, SVC, 'keys', 'generate', '--dir', 'keys', '--role', 'rows')
  for (const file of readdirSync(join(folder, 'keys')))
    expect(readFileSync(join(folder, 'keys', file), 'utf8')).not.toContain('"d"')
  const socket = join(folder, 'signer.sock')
  const guide = readFileSync('docs/guides/signer.md', 'utf8')
  const script = /```bash\n(#!\/bin\/sh\n[\s\S]*?)```/u.exec(guide)?.[1]
  writeFileSync(join(folder, 'sign-with-module.sh'), script ?? 'no such script in the guide', { mode: 0o700 })
  const command = './sign-with-module.sh'
  signer = spawn(process.execPath, [SVC, 'signer', '--keys', 'keys', '--socket', socket, '--command', command], { cwd: folder, env: { ...env, SVC_SIGNER_SECRET: SECRET }, stdio: 'inherit' }) // prettier-ignore
  const keys = await vi.waitFor(() => readSignerKeys(`unix:${socket}`, { secret: SECRET }), {
    timeout: 60_000,
    interval: 100,
  })
  const { root, invoke } = await startFixture({ keys, clock: Date.now })
  expect((await invoke('search', (await root()).token)).body).toMatchObject({ success: true })
})
