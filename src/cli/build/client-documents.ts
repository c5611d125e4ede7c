import { identifierOf, methodNameOf } from '../../compiler/names.js'
import { schemasOf } from '../../protocol/value-schema.js'
import { parametersExample } from '../../compiler/targets/documents/value-schemas.js'
import { clientPackageOf } from '../../protocol/client-names.js'
import type { Manifest } from '../../protocol/manifest.js'

const nameOf = ({ service_identity }: Manifest): string => clientPackageOf(service_identity.id)

const EXPORTS = {
  '.': { types: './index.d.ts', default: './index.js' },
  './tools': { types: './tools.d.ts', default: './tools.js' },
  './stdio': { types: './stdio.d.ts', default: './stdio.js' },
  './package.json': './package.json',
}

/** `package.json` of the client: under the version of the service, with that of the interface beside it. */
export function clientManifest(manifest: Manifest, version: string): string {
  const described = {
    name: nameOf(manifest),
    version,
    description: `The typed client of ${manifest.service_identity.name ?? manifest.service_identity.id}.`,
    type: 'module',
    sideEffects: false,
    exports: EXPORTS,
    svc: { interface: manifest.manifest_metadata.version },
  }
  return `${JSON.stringify(described, undefined, 2)}\n`
}

/** `README.md` of the client: ten lines that call it. */
export function clientReadme(manifest: Manifest): string {
  const { capabilities, service_identity } = manifest
  const reading = Object.entries(capabilities).find(([, { side_effect }]) => side_effect.type === 'read')
  const [capability, { inputs, minimum_scope }] = reading ?? Object.entries(capabilities)[0] ?? NONE
  const method = capability === '' ? 'permissions' : methodNameOf(identifierOf(capability))
  const given = capability === '' ? '' : JSON.stringify(parametersExample(inputs, schemasOf(manifest)) ?? {})
  return [
    `# ${nameOf(manifest)}`,
    '',
    `The typed client of \`${service_identity.id}\`. It needs nothing else and runs wherever \`fetch\` and ` +
      'WebCrypto do.',
    '',
    '```ts',
    `import { createClient } from '${nameOf(manifest)}'`,
    '',
    "const user = createClient({ baseUrl: 'https://where.the.service.is', credential: process.env.API_KEY })",
    `const delegated = await user.delegate({ scope: ${JSON.stringify(minimum_scope)}, ttl_hours: 1 })`,
    'if (!delegated.success) throw new Error(delegated.failure.detail)',
    `const outcome = await delegated.client.${method}(${given})`,
    'if (outcome.success) console.log(outcome.result)',
    'else console.log(outcome.failure.type, outcome.failure.resolution.action)',
    '```',
    '',
    'Failures are values, and a `switch` over `outcome.failure.type` is exhaustive. What waits for an approval ' +
      'has `failure.pending`: store it,',
    'and continue with `resume(pending)`, also after a restart. `./tools` has the capabilities as tools of a ' +
      'model; `./stdio` speaks to a service',
    'over the standard streams of its process.',
    '',
  ].join('\n')
}

const NONE = ['', { inputs: [], minimum_scope: [] }] as const
