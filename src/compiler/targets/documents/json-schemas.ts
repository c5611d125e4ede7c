import type { JsonObject } from '../../../protocol/manifest.js'
import type { CapabilityPlan } from '../../plan/plan.js'
import type { Target } from '../target.js'
import { outputSchema, parametersSchema } from './value-schemas.js'

/** Type name -> schema, for what callers send and what they get back. */
export const capabilitySchemas = (capabilities: readonly CapabilityPlan[]): { readonly [name: string]: JsonObject } =>
  Object.fromEntries(
    capabilities.flatMap(({ typeName, declaration: { inputs, output, kind } }) => [
      [`${typeName}Parameters`, parametersSchema(inputs)],
      [`${typeName}Output`, outputSchema(output.fields, kind === 'composed')],
    ]),
  )

/** `dist/schemas.json`: JSON Schema 2020-12 for each capability, under `$defs`. */
export const jsonSchemas: Target = ({ capabilities, serviceId }) => [
  {
    path: 'dist/schemas.json',
    ownership: 'generated',
    text: `${JSON.stringify(
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: `urn:svc:${serviceId}:schemas`,
        $defs: capabilitySchemas(capabilities),
      },
      undefined,
      1,
    )}\n`,
  },
]
