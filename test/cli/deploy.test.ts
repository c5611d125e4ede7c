/** `svc init --deploy`: for a new service and one that exists, in every choice, files that their tools can read. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { DEPLOYMENTS } from '../../src/cli/init/deploy.js'
import { init } from '../../src/cli/init/run.js'

let parent: string
let folder: string
let said = ''

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'svc-deploy-'))
  folder = join(parent, 'shop')
  said = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((said += String(text)), true))
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(parent, { recursive: true, force: true, maxRetries: 20 })
})

const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const ALL = Object.keys(DEPLOYMENTS).join(',')
const FILES = [
  '.dockerignore',
  'Dockerfile',
  'deploy/compose.yaml',
  'deploy/kubernetes/create-secrets.sh',
  'deploy/kubernetes/deployment.yaml',
  'deploy/kubernetes/network-policy.yaml',
  'deploy/kubernetes/service.yaml',
  'deploy/systemd/service.service',
  'deploy/monitoring/alerts.yml',
  'deploy/monitoring/dashboard.json',
  'deploy/monitoring/prometheus.yml',
]

type Tree = { readonly [name: string]: Tree } & readonly Tree[] & string

/** The documents of a YAML file, merge keys included; any error or warning fails. */
const yamlIn = (name: string): readonly Tree[] =>
  parseAllDocuments(read(name), { merge: true }).map((document) => {
    expect([name, document.errors, document.warnings]).toEqual([name, [], []])
    return document.toJS() as Tree
  })

describe('svc init --deploy', () => {
  it('makes them beside a new service', async () => {
    expect(await init(folder, { yes: true, deploy: ALL })).toBe(0)
    for (const file of FILES) expect([file, statSync(join(folder, file)).isFile()]).toEqual([file, true])
  })

  it('adds them to a service that exists, by what it is, and never overwrites', async () => {
    await init(folder, { yes: true, storage: 'postgres', name: 'my.shop_one' })
    said = ''
    expect(await init(folder, { yes: true, deploy: 'kubernetes,docker' })).toBe(0)
    expect(said).toContain('Made 7 files:')
    expect(yamlIn('deploy/kubernetes/deployment.yaml')[0]!['spec']!['replicas']).toBe(2)
    expect(read('deploy/compose.yaml')).toContain("name: 'my-shop-one'\n")
    writeFileSync(join(folder, 'Dockerfile'), 'mine')
    await expect(init(folder, { yes: true, deploy: ALL })).rejects.toThrow(/are in .*already: .*Dockerfile, .*Nothing was written/su) // prettier-ignore
    expect(read('Dockerfile')).toBe('mine')
    expect(() => statSync(join(folder, 'deploy/systemd'))).toThrow()
  })

  it('refuses words that there are not, and choices that were made already', async () => {
    await expect(init(folder, { yes: true, deploy: 'docker,nomad' })).rejects.toThrow('There is no deployment "nomad"; there are docker, kubernetes, systemd, monitoring') // prettier-ignore
    await expect(init(folder, { yes: true, deploy: '' })).rejects.toThrow('There is no deployment ""')
    await init(folder, { yes: true })
    await expect(init(folder, { yes: true, deploy: 'docker', template: 'travel' })).rejects.toThrow('leave out --template') // prettier-ignore
  })
})

const CHOICES = [
  { storage: 'sqlite', signIn: 'api-keys' },
  { storage: 'sqlite', signIn: 'oidc' },
  { storage: 'postgres', signIn: 'api-keys' },
  { storage: 'postgres', signIn: 'oidc' },
] as const

describe.each(CHOICES)('with $storage and $signIn', ({ storage, signIn }) => {
  const isPostgres = storage === 'postgres'
  beforeEach(() => init(folder, { yes: true, storage, signIn, deploy: ALL }))

  it('a compose file runs what it can: replicas only where several may write', () => {
    const [{ services }] = yamlIn('deploy/compose.yaml') as [Tree]
    expect(Object.keys(services!)).toEqual(isPostgres ? ['database', 'migrate', 'service'] : ['service'])
    const { service } = services!
    expect(service!['deploy']).toEqual(isPostgres ? { replicas: 2 } : undefined)
    expect([service!['read_only'], service!['cap_drop'], service!['security_opt']]).toEqual([true, ['ALL'], ['no-new-privileges:true']]) // prettier-ignore
    expect(Object.hasOwn(service!['environment']!, 'SVC_OIDC_ISSUER')).toBe(signIn === 'oidc')
  })

  it('a compose file keeps the memory of checkpoints past the end of a container, where the keys are read-only', () => {
    const [{ services, volumes }] = yamlIn('deploy/compose.yaml') as [Tree]
    const { environment, volumes: mounted } = services!['service']!
    const [, fromImage] = / SVC_STATE_DIR=(\S+)/u.exec(read('Dockerfile'))!
    const state = environment!['SVC_STATE_DIR'] ?? fromImage!
    const [source] = mounted!.map((each) => each.split(':')).find(([, target]) => target === state)!
    expect(source).toBe(isPostgres ? 'state' : '../data')
    if (isPostgres) expect(Object.keys(volumes!)).toContain('state')
    expect(mounted!.some((each) => each.endsWith('/keys:ro'))).toBe(true)
  })

  it('manifests of Kubernetes hold a service that drains, and that gives nothing away', () => {
    const documents = ['deployment', 'service', 'network-policy'].flatMap((name) => yamlIn(`deploy/kubernetes/${name}.yaml`)) // prettier-ignore
    expect(documents.map(({ kind }) => kind)).toEqual(
      ['Deployment', ...(isPostgres ? [] : ['PersistentVolumeClaim']), 'Service', 'PodDisruptionBudget', 'NetworkPolicy'],
    ) // prettier-ignore
    const { template, replicas, selector } = documents[0]!['spec']!
    expect([replicas, selector!['matchLabels']]).toEqual([isPostgres ? 2 : 1, template!['metadata']!['labels']])
    const pod = template!['spec']!
    expect([pod['automountServiceAccountToken'], pod['securityContext']!['runAsNonRoot']]).toEqual([false, true])
    for (const each of [...pod['initContainers']!, ...pod['containers']!])
      expect(each['securityContext']).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    const [container] = pod['containers']!
    expect(['startupProbe', 'livenessProbe', 'readinessProbe'].map((name) => container![name]!['httpGet']!['path'])).toEqual(['/-/live', '/-/live', '/-/ready']) // prettier-ignore
    expect(container!['lifecycle']!['preStop']).toEqual({ exec: { command: ['sleep', '5'] } })
    const mounted = [...pod['initContainers']!, container!].flatMap((each) => [...(each['volumeMounts'] ?? [])])
    const volumes = pod['volumes']!.map(({ name }) => name)
    expect(mounted.filter(({ name }) => !volumes.includes(name))).toEqual([])
    expect(new Set(mounted.map(({ name }) => name))).toEqual(new Set(volumes))
  })

  it('its scripts are sh', () => {
    const script = join(folder, 'deploy/kubernetes/create-secrets.sh')
    expect(execFileSync('sh', ['-n', script], { encoding: 'utf8' })).toBe('')
    expect(statSync(script).mode & 0o111).not.toBe(0)
  })

  it('the image is made in stages, runs as nobody in particular, and holds no secret', () => {
    const lines = read('Dockerfile').split('\n').filter((line) => /^[A-Z]+ /u.test(line)) // prettier-ignore
    expect(lines.filter((line) => line.startsWith('FROM'))).toHaveLength(2)
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')))
    expect(last.filter((line) => line.startsWith('COPY'))).toEqual(['COPY --from=build /app/dist ./dist'])
    expect(last).toContain('USER 10001:10001')
    expect([lines.find((line) => line.startsWith('ARG')), last.at(-1)]).toEqual([
      'ARG NODE=node:22-bookworm-slim',
      'CMD ["node", "--disable-sigusr1", "--enable-source-maps", "dist/server.mjs"]',
    ])
    expect(read('package.json')).not.toContain('sigusr1')
    expect(last.some((line) => line.startsWith('HEALTHCHECK'))).toBe(true)
    for (const secret of ['keys', 'api-keys.json', '.env']) expect(read('.dockerignore').split('\n')).toContain(secret)
    for (const line of lines) if (line.includes('["')) expect(() => JSON.parse(line.slice(line.indexOf('[')))).not.toThrow() // prettier-ignore
  })

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
  it.runIf(hasSystemd)('the unit is one that systemd takes, and little is open to it', () => {
    const unit = join(folder, 'deploy/systemd/service.service')
    writeFileSync(unit, read('deploy/systemd/service.service').replace('/usr/bin/node', process.execPath))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
    expect(stderr.split('\n').filter((line) => line.includes('deploy/systemd'))).toEqual([])
    expect(status).toBe(0)
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], { encoding: 'utf8' }) // prettier-ignore
    const [, level] = /exposure level for service\.service: ([\d.]+)/u.exec(stdout) ?? []
    expect(Number(level)).toBeLessThan(2.5)
  })
})
