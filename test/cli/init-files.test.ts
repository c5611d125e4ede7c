/** Every file that `svc init` writes, and those of `svc import`, whole, in every choice; of secrets, what they are. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { DEPLOYMENTS } from '../../src/cli/init/deploy.js'
import { init } from '../../src/cli/init/run.js'
import { templateFiles } from '../../src/cli/init/template-files.js'
import { templateValues } from '../../src/cli/init/template-values.js'

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
    .filter((name) => !name.startsWith('keys/') && statSync(join(folder, 'shop', name)).isFile())
    .sort()
  const secretsOut = (text: string) => text.replaceAll(/svc_[\w-]{20,}/gu, 'SECRET').replaceAll(/[0-9a-f]{64}/gu, 'SHA256')
  const texts = names.map((name) => `----- ${name}\n${secretsOut(readFileSync(join(folder, 'shop', name), 'utf8'))}`)
  await expect(texts.join('')).toMatchFileSnapshot(`init-files/${template}-${choices.storage}.txt`)
}) // prettier-ignore

it('of an import', async () => {
  const answers = { name: 'my.desk', template: '', storage: 'sqlite', signIn: 'api-keys', tests: false, mcp: true } as const
  const files = await templateFiles(resolve('templates/imported'), templateValues(answers, '1.2.3'))
  const own = files.filter(({ path }) => ['README.md', 'svc.yaml', 'package.json'].includes(path))
  const text = own.map(({ path, content }) => `----- ${path}\n${String(content)}`).join('')
  await expect(text).toMatchFileSnapshot('init-files/imported.txt')
}) // prettier-ignore
