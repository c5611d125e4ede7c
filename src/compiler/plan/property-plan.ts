import type { ValueType } from './value-type.js'

/** A property of an interface. */
export interface PropertyPlan {
  readonly name: string
  readonly type: ValueType
  readonly optional: boolean
  readonly nullable: boolean
  /** Lines of its comment; none when the manifest says nothing. */
  readonly comment: readonly string[]
}
