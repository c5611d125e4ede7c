import { publishedSchema, schemasOf } from '../../../protocol/value-schema.js'
import type { CapabilityPlan, Plan } from '../../plan/plan.js'
import type { Target } from '../target.js'
import { entry, objectText } from './json-text.js'
import { outputSchema, parametersSchema, type Refer } from './value-schemas.js'

/**
 * Members of an object of schemas at `root`: what callers send and what they get back, for each capability, and what
 * these share.
 */
export const schemaEntries = ({ capabilities, manifest, remember }: Plan, root: string): readonly string[] => {
  const refer: Refer = (name) => `${root}/${sharedName(name)}`
  return [
    ...capabilities.flatMap((capability) =>
      remember(`schemas ${root} ${capability.name}`, [capability], () => entriesOf(capability, refer)),
    ),
    ...Object.entries(schemasOf(manifest)).map(([name, schema]) =>
      entry(sharedName(name), publishedSchema(schema, refer)),
    ),
  ]
}

/** No other schema of a document has a `_`. */
const sharedName = (name: string): string => `Value_${name}`

const entriesOf = ({ typeName, declaration }: CapabilityPlan, refer: Refer): readonly string[] => [
  `${JSON.stringify(`${typeName}Parameters`)}: ${parametersSchema(declaration.inputs, refer)}`,
  `${JSON.stringify(`${typeName}Output`)}: ${outputSchema(declaration, refer)}`,
]

/** `dist/schemas.json`: JSON Schema 2020-12 for each capability, under `$defs`. */
export const jsonSchemas: Target = (plan) => [
  {
    path: 'dist/schemas.json',
    ownership: 'generated',
    text: `${objectText(0, [
      entry('$schema', 'https://json-schema.org/draft/2020-12/schema'),
      entry('$id', `urn:svc:${plan.serviceId}:schemas`),
      `"$defs": ${objectText(1, schemaEntries(plan, '#/$defs'))}`,
    ])}\n`,
  },
]
