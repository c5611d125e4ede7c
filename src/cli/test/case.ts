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
  /** What is checked against the budget, or what the call costs. */
  readonly cost?: Partial<Money>
  /** Where the token finds the capability: `available`, `restricted` or `denied` (section 4.5). */
  readonly permission?: string
  /** Members that the result has, and what they are. */
  readonly result?: JsonObject
}

/** What a handler gives in the place of its own code: a result, or `{ failure: <type> }`. */
export type GivenOutcome = JsonObject

/** One call, and what must come of it. */
export interface TestCase {
  readonly name: string
  /** Whose credential buys the root token. */
  readonly as: Principal
  readonly token: Partial<TokenRequest>
  /** Narrower tokens, one below the other; the last one calls. */
  readonly delegate: readonly Partial<TokenRequest>[]
  readonly call: string
  readonly parameters: JsonObject
  readonly bindings: { readonly [field: string]: GivenBinding }
  /** What resolvers answer, by input. */
  readonly resolved: { readonly [input: string]: Json }
  /** What the actor policy derives, by input. */
  readonly actor: { readonly [input: string]: Json }
  /** What handlers give, by capability; the others run, where the file names them. */
  readonly given: { readonly [capability: string]: GivenOutcome }
  /** How much time passes between the token and the call. */
  readonly after: string | undefined
  /** Whether somebody approves, where the call asks for it. */
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
