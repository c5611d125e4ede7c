import type { Capability } from '../../protocol/manifest.js'
import { narrowed, schemaOf, type ValueSchema } from '../../protocol/value-schema.js'
import type { CapabilityPlan } from './plan.js'

/** A field whose inside is checked, and the name of its check in generated code. */
export interface CheckedField {
  readonly field: string
  readonly check: string
  readonly schema: ValueSchema
}

/** `PlaceOrder_order`: no capability's name has a `_` in TypeScript. Outputs have two. */
const checkName = (typeName: string, side: string, field: string): string => `${typeName}_${side}${field}`

type Field = Capability['inputs'][number] | Capability['output']['fields'][number]

const checkedIn = (fields: readonly Field[], typeName: string, side: string): readonly CheckedField[] =>
  fields.flatMap((field) => {
    const schema = schemaOf(field)
    if (schema === undefined) return []
    return [{ field: field.name, check: checkName(typeName, side, field.name), schema: narrowed(schema, field.type) }]
  })

/** The inputs and output fields of a capability that have a schema. */
export const checkedFields = ({ typeName, declaration }: Pick<CapabilityPlan, 'typeName' | 'declaration'>) => ({
  inputs: checkedIn(declaration.inputs, typeName, 'in_'),
  output: checkedIn(declaration.output.fields, typeName, 'out_'),
})
