import type { Json } from '../../../../../protocol/manifest.js'
import type { ValueSchema } from '../../../../../protocol/value-schema.js'
import type { Definitions } from './kind.js'

/** Properties of every form field. */
export interface FieldProps {
  /** Path of the value, unique on the page. */
  readonly id: string
  readonly label: string
  readonly schema: ValueSchema
  readonly definitions: Definitions
  readonly isRequired: boolean
  readonly value: Json | undefined
  readonly onChange: (value: Json | undefined) => void
  readonly depth: number
  /** Below the field, after its own description. */
  readonly hint?: unknown
}
