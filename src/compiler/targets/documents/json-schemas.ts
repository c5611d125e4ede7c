import type { CapabilityPlan, Plan } from '../../plan/plan.js'
import type { Target } from '../target.js'
import { entry, objectText } from './json-text.js'
import { outputSchema, parametersSchema } from './value-schemas.js'

/** Members of an object of schemas: what callers send and what they get back, for each capability. */
export const schemaEntries = ({ capabilities, remember }: Plan): readonly string[] =>
  capabilities.flatMap((capability) =>
    remember(`schemas ${capability.name}`, [capability], () => entriesOf(capability)),
  )

const entriesOf = ({ typeName, declaration: { inputs, output, kind } }: CapabilityPlan): readonly string[] => [
  `${JSON.stringify(`${typeName}Parameters`)}: ${parametersSchema(inputs)}`,
  `${JSON.stringify(`${typeName}Output`)}: ${outputSchema(output.fields, kind)}`,
]

/** `dist/schemas.json`: JSON Schema 2020-12 for each capability, under `$defs`. */
export const jsonSchemas: Target = (plan) => [
  {
    path: 'dist/schemas.json',
    ownership: 'generated',
    text: `${objectText(0, [
      entry('$schema', 'https://json-schema.org/draft/2020-12/schema'),
      entry('$id', `urn:svc:${plan.serviceId}:schemas`),
      `"$defs": ${objectText(1, schemaEntries(plan))}`,
    ])}\n`,
  },
]
