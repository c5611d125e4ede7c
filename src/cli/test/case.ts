import type { Json, JsonObject } from '../../protocol/manifest.js'
import type { Money } from '../../protocol/money.js'
import type { Principal } from '../../protocol/principals.js'
import type { TokenRequest } from '../../protocol/token.js'

/** A binding that the caller holds: what its price is, and how old it is. */
export interface GivenBinding {
  readonly type?: string
  readonly price?: Money
  readonly data?: JsonObject
  /** ISO 8601 duration. */
  readonly age?: string
}

export const DECISIONS = ['allowed', 'denied', 'approval'] as const
export type ExpectedDecision = (typeof DECISIONS)[number]

export interface Expectation {
  readonly decision?: ExpectedDecision
  /** The type of the failure. */
  readonly failure?: string
  /** A part of its text: where a value is wrong, such as `/order/lines/0/quantity`. */
  readonly detail?: string
  /** Amount checked against the budget, or the cost of the call. */
  readonly cost?: Partial<Money>
  /** Permission of the token for the capability: `available`, `restricted` or `denied` (section 4.5). */
  readonly permission?: string
  /** Members that the result has, and what they are. */
  readonly result?: JsonObject
}

/** Outcome that a case gives in place of a handler: a result, or `{ failure: <type> }`. */
export type GivenOutcome = JsonObject

/** One call, and what must come of it. */
export interface TestCase {
  readonly name: string
  /** Principal whose credential requests the root token. */
  readonly as: Principal
  readonly token: Partial<TokenRequest>
  /** Narrower tokens, one below the other; the last one calls. */
  readonly delegate: readonly Partial<TokenRequest>[]
  readonly call: string
  readonly parameters: JsonObject
  readonly bindings: { readonly [field: string]: GivenBinding }
  /** Values returned by resolvers, by input. */
  readonly resolved: { readonly [input: string]: Json }
  /** Values derived by the actor policy, by input. */
  readonly actor: { readonly [input: string]: Json }
  /** Outcomes in place of handlers, by capability; other capabilities run if the file names their handlers. */
  readonly given: { readonly [capability: string]: GivenOutcome }
  /** Time between the token and the call. */
  readonly after: string | undefined
  /** True if an approver approves when the call needs it. */
  readonly approve: boolean
  readonly expect: Expectation
  /** `file:line` */
  readonly place: string
}

/** A file of cases. */
export interface CaseFile {
  readonly file: string
  /** The manifest, as a path. */
  readonly manifest: string
  readonly now: string | undefined
  /** The module of the service's own handlers, as a path; undefined where none of them runs. */
  readonly handlers: string | undefined
  readonly cases: readonly TestCase[]
}
