/** Every file that `svc init` writes, whole, in every choice; credentials aside. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { DEPLOYMENTS } from '../../src/cli/init/deploy.js'
import { init } from '../../src/cli/init/run.js'

const ALL = Object.keys(DEPLOYMENTS).join(',')
const plain = { storage: 'sqlite', signIn: 'api-keys', tests: true, mcp: true }
const provided = { storage: 'postgres', signIn: 'oidc', tests: false, mcp: false }

it.each([
  ['minimal', plain, ALL],
  ['minimal', provided, ALL],
  ['travel', plain, undefined],
  ['travel', provided, undefined],
])('%s, with %j', async (template, choices, deploy) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-init-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  await init(join(folder, 'shop'), { yes: true, svcKit: '1.2.3', template, ...choices, ...(deploy && { deploy }) })
  vi.restoreAllMocks()
  const names = readdirSync(join(folder, 'shop'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !/^(?:\.env|api-keys\.json|keys)(?:$|\/)/u.test(name) && statSync(join(folder, 'shop', name)).isFile())
    .sort()
  const texts = names.map((name) => `----- ${name}\n${readFileSync(join(folder, 'shop', name), 'utf8')}`)
  await expect(texts.join('')).toMatchFileSnapshot(`init-files/${template}-${choices.storage}.txt`)
}) // prettier-ignore
