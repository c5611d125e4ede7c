import { check } from '../../src/compiler/check.js'

/** What stands in the one capability of a manifest, and what its service is called. */
export interface Written {
  readonly name?: string
  readonly description?: string
  readonly effect?: string
  readonly inputs?: string
  readonly output?: string
  readonly more?: string
  readonly identity?: string
}

export const manifest = ({
  name = 'crm.lookup',
  description = 'Looks an account up by its id and returns it.',
  effect = 'read',
  inputs = '[]',
  output = '{ type: account, fields: [account] }',
  more = '',
  identity = 'id: crm',
}: Written): string => `manifest_metadata: { version: "0.24.0" }
service_identity: { ${identity} }
trust: { level: signed }
capabilities:
  ${name}:
    description: ${JSON.stringify(description)}
    contract_version: 1.0.0
    side_effect: { type: ${effect} }
    minimum_scope: [crm.use]
    inputs: ${inputs}
    output: ${output}
${more}`

/** What a rule says of a manifest. */
export const said = (code: string, written: Written): readonly string[] =>
  check([{ file: 'svc.yaml', text: manifest(written) }], { preset: 'strict' })
    .diagnostics.filter((each) => each.code === code)
    .map(({ message }) => message)
export const finds = (code: string, written: Written): boolean => said(code, written).length > 0

/** One input with what is to be judged of it. */
export const input = (more: string): string => `[{ name: it, type: string, description: The thing., ${more} }]`
