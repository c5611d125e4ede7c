/** Interfaces between generated code, its author and the runtime. */
import type { UpstreamTerms } from '../protocol/upstream-terms.js'
import type { AsJson } from '../protocol/as-json.js'
import type { Capability, Json, JsonObject, Manifest } from '../protocol/manifest.js'
import type { Caller } from '../protocol/questions.js'
import type { Money } from '../protocol/money.js'
import type { Role } from '../protocol/roles.js'
import type { Principal } from '../protocol/principals.js'
import type { Lineage } from '../protocol/invocation.js'
import type { SideEffectType } from '../protocol/words.js'
import type { TraceContext } from '../protocol/trace-context.js'

/** One thing that is wrong with a value: where (`passengers`, `leg.date`) and what is expected there. */
export interface InputProblem {
  readonly path: string
  readonly message: string
}

/** Says what is wrong with a value; empty when nothing is. */
export type Validate = (value: unknown) => readonly InputProblem[]

export interface CapabilityValidators {
  /** Checks one input value, after resolution and defaults; the caller's unknown members are refused before. */
  readonly input: { readonly [name: string]: Validate }
  /** Checks what the handler returns against `output.fields`. */
  readonly output: Validate
}

/** Claims of the caller's token, without the JWT. */
export interface TokenView {
  readonly token_id: string
  readonly subject: Principal
  readonly root_principal: Principal
  readonly scope: readonly string[]
  readonly caller_class?: string
  readonly session_id?: string
  readonly purpose: JsonObject
}

/**
 * Data of bindings, by their type. A service adds its own, and both ends are checked against it: `declare module
 * 'svc-kit/runtime' { interface BindingData { order_quote: Order } }`.
 */
export interface BindingData {}

/** Data of a binding type; declared data is always present. */
type DataOf<Type extends string> = Type extends keyof BindingData
  ? { readonly data: BindingData[Type] }
  : { readonly data?: JsonObject }

/** A binding that the runtime has looked up and found genuine and fresh. */
export type ResolvedBinding<Type extends string = string> = DataOf<Type> & {
  readonly binding_id: string
  readonly type: string
  readonly price?: Money
}

/** A binding that alone fixes the price of an estimated cost: whoever issued it gave one. */
export type PricedBinding<Type extends string = string> = ResolvedBinding<Type> & { readonly price: Money }

export interface Log {
  debug(message: string, fields?: JsonObject): void
  info(message: string, fields?: JsonObject): void
  warn(message: string, fields?: JsonObject): void
  error(message: string, fields?: JsonObject): void
  /** A line for each call; only where somebody watches, as under `svc dev`. */
  readonly call?: (ended: EndedCall) => void
  /** Returns the number of lines that could not be written so far: health has an alarm for a minute where there are more. */
  readonly dropped?: () => number
}

/** Result of a call, for observers. */
export interface EndedCall {
  readonly capability: string
  readonly invocation_id: string
  /** Absent where it went well. */
  readonly failure_type?: string
  readonly ms: number
}

/** Account of the root principal at an upstream system. */
export interface UpstreamAccount {
  readonly person: Principal
  /** An access token; ends the call with `connection_required` without one. */
  readonly token: () => Promise<string>
  /** Forgets a token that the upstream system refused; a connection without another token ends. */
  readonly refused: (token: string) => void | Promise<void>
  /** Ends the call if the person can give the scopes that the upstream system asks for. */
  readonly needs: (scopes: readonly string[]) => Promise<void>
}

/** Part of every handler's context, whatever its capability. */
export interface ContextBase {
  readonly principal: Principal
  readonly token: TokenView
  readonly invocation: Lineage & { readonly invocation_id: string }
  /** Declared effect of the capability; a test may leave it out. */
  readonly sideEffect?: SideEffectType
  /** Terms of upstream calls in the manifest (`x-upstream`). */
  readonly upstream?: UpstreamTerms
  /** The account of the root principal at an upstream system; for the code that calls it. */
  readonly account?: (upstream: string) => UpstreamAccount
  /** Aborted when the time limit passes. A client that leaves does not abort it. */
  readonly signal: AbortSignal
  /**
   * A key for what the handler calls: the same when this caller repeats this very call under its idempotency key,
   * different for every other call and caller. It tells nothing of either.
   */
  readonly idempotencyKey: () => string
  /** The caller's W3C Trace Context. Pass it on with outgoing requests. */
  readonly trace?: TraceContext
  readonly log: Log
  readonly cost: { report(actual: Money): void }
  /** Party that calls, as far as it can be told and asked: over MCP. */
  readonly caller: Caller
  /** The approved preview's digest on a continuation, so that a handler can see that nothing has changed. */
  readonly approval?: {
    readonly approval_request_id: string
    readonly grant_id: string
    readonly preview_digest?: string
  }
}

/** A binding as a handler issues it. */
export interface NewBinding {
  readonly type: string
  readonly price?: Money
  readonly data?: JsonObject
}

type NewPrice<Issued extends string, Priced extends string> = Issued extends Priced
  ? { readonly price: Money }
  : { readonly price?: Money }

type NewData<Issued extends string, Data> = Issued extends keyof BindingData
  ? { readonly data: BindingData[Issued] & AsJson<BindingData[Issued]> }
  : { readonly data?: Data & AsJson<Data> }

/**
 * Binding operations of a handler that quotes. `Priced` are the types that alone fix the price of an estimated cost.
 */
export interface Quotes<Type extends string, Priced extends string = never> {
  /**
   * Issues a binding of a type that this capability quotes, and gives its id for the caller. `price` is what budgets and
   * approvals go by, `data` what the handler that the binding is passed to finds in `bound`.
   */
  issue<Issued extends Type, Data extends object>(
    binding: { readonly type: Issued } & NewPrice<Issued, Priced> & NewData<Issued, Data>,
  ): Promise<string>
  /**
   * Until when a binding that this call has issued is taken, in ISO 8601: the shortest `max_age` of those that require
   * it. Throws where none of them has one.
   */
  validUntil(bindingId: string): string
}

/**
 * Sends a progress event to a streaming caller; does nothing for a unary one. Resolves when the caller can take more.
 */
export type Progress = <Data>(data: Data & AsJson<Data>) => Promise<void>

/**
 * Ends the invocation with a declared business failure. It is answered with 422 unless its declaration (`x-failures`)
 * or the handler names another 4xx status; documents tell of the declared one.
 */
export type Fail<Type extends string> = <Data extends object>(
  type: Type,
  detail: string,
  data?: Data & AsJson<Data>,
  status?: number,
) => never

/**
 * Ends the invocation with `approval_required`, unless it continues with a valid grant (only where approval is by
 * handler).
 */
export type AskForApproval = <Shown>(preview?: Shown & AsJson<Shown>) => void

/** Everything that some handler is given beside its input. Generated contracts narrow it by capability. */
export interface HandlerContext extends ContextBase {
  /** Input name -> the binding whose id the caller passed there. */
  readonly bound: { readonly [field: string]: ResolvedBinding }
  readonly bindings: { issue(binding: NewBinding): Promise<string>; validUntil(bindingId: string): string }
  readonly progress: (data: Json) => Promise<void>
  readonly fail: (type: string, detail: string, data?: JsonObject, status?: number) => never
  readonly approvalRequired: (preview?: Json) => void
}

export type Handler = (input: never, context: never) => unknown
/** Shows what would happen, for the approver; it must have no effects. */
export type Preview<Input = never, Context = never> = (input: Input, context: Context) => Json | Promise<Json>

export interface ResolveRequest {
  readonly capability: string
  readonly input: string
  readonly value: Json
  readonly resolver_ref?: string
  readonly catalog_ref?: string
  readonly principal: Principal
}

/** Answer of a resolver (section 2.6). */
export type Resolved =
  | { readonly value: Json }
  | { readonly ambiguous: readonly Json[] }
  | { readonly unresolved: true }

export type Resolver = (request: ResolveRequest) => Resolved | Promise<Resolved>

export interface ActorPolicyRequest {
  readonly capability: string
  readonly input: string
  readonly token: TokenView
}

/** Derives a value from the actor, or undefined. */
export type ActorPolicy = (request: ActorPolicyRequest) => Json | undefined | Promise<Json | undefined>

/** Facts of generated code: the manifest and the validators made from it. */
export interface ServiceDefinition {
  readonly manifest: Manifest
  readonly validators: { readonly [capability: string]: CapabilityValidators }
  /** Address of the module that states it, such as `import.meta.url`: `openapi.json` may lie beside it. */
  readonly place?: string
}

/** Code that the service's author implements. */
export interface Implementation {
  readonly handlers: { readonly [capability: string]: Handler }
  readonly previews?: { readonly [capability: string]: Preview }
  /** `resolver_ref` or `catalog_ref` -> resolver. */
  readonly resolvers?: { readonly [reference: string]: Resolver }
  readonly actorPolicy?: ActorPolicy
  /** Bindings that were issued elsewhere. */
  readonly resolveBinding?: BindingResolver | undefined
}

export interface BindingRequest {
  readonly capability: string
  readonly type: string
  readonly id: string
  readonly token: TokenView
}

/** Looks up a binding that was issued elsewhere; undefined where there is none (section 2.7). */
export type BindingResolver = (
  request: BindingRequest,
) => ExternalBinding | undefined | Promise<ExternalBinding | undefined>

export interface ExternalBinding extends ResolvedBinding {
  /** ms since the epoch. */
  readonly issued_at: number
}

/** Identity proven by a bootstrap credential: a principal and its entitlements (section 5.4). */
export interface Identity {
  readonly principal: Principal
  /** Scopes a root token may carry; every `minimum_scope` of the manifest when absent, and never an approver scope. */
  readonly scopes?: readonly string[]
  /** Caller classes a root token may name; none when absent. */
  readonly caller_classes?: readonly string[]
  /** Roles, such as operator. An identity with a role gets only the scopes listed. */
  readonly roles?: readonly Role[]
}

/**
 * A bootstrap hook: who presents this credential? Undefined or null for unknown ones. Its answer is checked, whatever
 * its type.
 */
export type Authenticate = (bearer: string) => Recognised | Promise<Recognised>
export type Recognised = Principal | Identity | undefined | null

export type { Capability, Manifest }
