import { mkdtempSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { check } from '../../src/compiler/check.js'
import { emit } from '../../src/compiler/emit.js'
import type { Manifest } from '../../src/protocol/manifest.js'
import type { ServiceDefinition } from '../../src/runtime/index.js'

/** A manifest of one capability, `place_order`, whose input `order` and output `receipt` have schemas; and shared ones. */
export const orderManifest = (
  schema: object,
  receipt: object = { type: 'object' },
  shared: object = {},
  more = '',
): string => `
manifest_metadata: { version: '0.24.0' }
service_identity: { id: shop }
trust: { level: signed }
x-schemas: ${JSON.stringify(shared)}
capabilities:
  place_order:
    description: Place an order of several lines and return its receipt.
    contract_version: 1.0.0
    side_effect: { type: write }
    minimum_scope: [shop.order]
    inputs: [{ name: order, type: any, description: What is ordered., x-schema: ${JSON.stringify(schema)} }]
    output: { type: receipt, fields: [{ name: receipt, x-schema: ${JSON.stringify(receipt)} }] }
${more}`

export interface Compiled {
  readonly manifest: Manifest
  readonly files: ReadonlyMap<string, string>
  readonly validators: ServiceDefinition['validators']
}

/** What a build makes of a manifest; its validators are loaded as the bundled server loads them. */
export async function compiled(text: string): Promise<Compiled> {
  const { manifest, diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'minimal' })
  if (manifest === undefined) throw new Error(JSON.stringify(diagnostics.map(({ code, message }) => [code, message])))
  const emitted = emit(manifest, { generator: 'svc' })
  const files = new Map(emitted.files.map((file) => [file.path, file.text]))
  const folder = mkdtempSync(join(tmpdir(), 'svc-values-'))
  for (const [path, content] of files) {
    if (!path.startsWith('generated/')) continue
    await mkdir(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const at = pathToFileURL(join(folder, 'generated/validators.ts')).href
  const loaded = (await import(/* @vite-ignore */ at)) as Pick<ServiceDefinition, 'validators'>
  return { manifest, files, validators: loaded.validators }
}

/** What is wrong with an order, as the runtime says it; undefined where nothing is. */
export const troubleOf = ({ validators }: Compiled, order: unknown): string | undefined => {
  const [problem] = validators['place_order']!.input['order']!(order)
  return problem === undefined ? undefined : `${problem.path} ${problem.message}`
}
