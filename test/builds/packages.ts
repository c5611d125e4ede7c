import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { clientPackage } from '../../src/cli/build/client-package.js'
import { pythonCore } from '../../src/cli/build/python-package.js'
import type { EmittedFile } from '../../src/compiler/emitted.js'
import { identifierOf, methodNameOf } from '../../src/compiler/names.js'
import { rememberNothing } from '../../src/compiler/plan/memo.js'
import { parametersExample } from '../../src/compiler/targets/documents/value-schemas.js'
import { clientPackageOf } from '../../src/protocol/client-names.js'
import type { Manifest } from '../../src/protocol/manifest.js'
import { pythonPackage } from '../../src/protocol/python-names.js'
import { schemasOf } from '../../src/protocol/value-schema.js'

export function write(root: string, files: readonly { readonly path: string; readonly text: string }[]): void {
  for (const { path, text } of files) {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** Writes what `svc build` gives to others: the packages of a service for TypeScript and Python. */
export async function writePackages(root: string, manifest: Manifest, emitted: readonly EmittedFile[]): Promise<void> {
  write(root, emitted)
  const site = { root, folders: { generated: 'generated', dist: 'dist' }, version: '1.2.3', isFinished: true, isDraft: false } // prettier-ignore
  write(root, [...(await clientPackage(site, manifest, emitted, rememberNothing)), ...pythonCore(manifest)])
}

const IS = "export type Is<Type> = 0 extends 1 & Type ? 'any' : 'typed'\n"

/** A program of somebody who has installed the client: it calls everything, and nothing that it gets is `any`. */
export function callerOf(manifest: Manifest): string {
  const name = clientPackageOf(manifest.service_identity.id)
  const calls = Object.entries(manifest.capabilities).map(([capability, { inputs, response_modes: modes }], index) => {
    const example = parametersExample(inputs, schemasOf(manifest))
    const given = example === undefined ? 'undefined as never' : JSON.stringify(example)
    const method = methodNameOf(identifierOf(capability))
    return `export async function call${index}(client: Client): Promise<unknown> {
  ${modes?.includes('unary') === false ? `const run = client.streaming.${method}` : `const run = client.${method}`}
  const typed: Is<typeof run> = 'typed'
  ${
    modes?.includes('unary') === false
      ? `return [typed, run(${given})]`
      : `const outcome = await client.${method}(${given})
  const one: Is<typeof outcome> = 'typed'
  if (!outcome.success) return [typed, one, outcome.failure.type, outcome.failure.resolution.action]
  const result: Is<typeof outcome.result> = 'typed'
  return [typed, one, result]`
  }
}
`
  })
  return `import { createClient, type Client } from '${name}'
import { overStdio } from '${name}/stdio'
import { tools } from '${name}/tools'

${IS}export const all: readonly unknown[] = [createClient, overStdio, tools]
export type Of = Client
${calls.join('')}`
}

/** The same for Python: it names what the package has, and nothing that it gets is \`Any\`. */
export const pythonCallerOf = (manifest: Manifest): string =>
  `from ${pythonPackage(manifest.service_identity.id)} import Client\n\n\ndef permissions(client: Client) -> object:\n    return client.permissions()\n`
