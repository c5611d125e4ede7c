import { sha256Hex } from '../../../crypto/json/digest.js'
import { businessFailuresOf } from '../../../protocol/business-failures.js'
import type { Json } from '../../../protocol/manifest.js'
import { minorUnits, type Money } from '../../../protocol/money.js'
import { upstreamTermsOf } from '../../../protocol/upstream-terms.js'
import { viewOf } from '../../auth/view.js'
import { upstreamAccount } from '../../connections/upstream-account.js'
import type { GovernedFacts } from '../facts/facts.js'
import type { HandlerContext, ResolvedBinding } from '../../definition.js'
import { present } from '../../json/present.js'
import type { Service } from '../../service.js'
import { tracedLog } from '../../telemetry/traced-log.js'
import { callerOf } from './caller.js'
import { issuing } from './issue-binding.js'
import { ApprovalNeeded, failureOfHandler } from './interruptions.js'
import type { Invocation } from '../invocation.js'
import type { Reserved } from '../reserve/reserved.js'

const SIGNAL = Symbol('signal')

interface Asleep {
  readonly [SIGNAL]: () => AbortSignal
}

/**
 * Makes the signal when it is asked for. One getter for all contexts: one of its own turns a context into a dictionary
 * in V8, which keeps what such a getter knows, and that is the whole call, until the next full garbage collection.
 */
const SIGNAL_WHEN_ASKED: PropertyDescriptor = {
  enumerable: true,
  configurable: true,
  get(this: Asleep) {
    return this[SIGNAL]()
  },
}

/** Returns the context of a handler, beside its input. */
export function handlerContextOf(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
  reserved: Reserved,
  signal: () => AbortSignal,
  { bindings } = issuing(service, invocation),
): HandlerContext {
  const { id, token, lineage, listener, span } = invocation
  const approval = approvalOf(facts)
  const trace = span?.context() ?? invocation.trace
  const context: Omit<HandlerContext, 'signal'> & Asleep = {
    [SIGNAL]: signal,
    idempotencyKey: () => upstreamKeyOf(invocation),
    principal: token.claims.sub,
    token: viewOf(token),
    invocation: { invocation_id: id, ...lineage },
    sideEffect: facts.capability.side_effect.type,
    account: (upstream) => upstreamAccount(service, token, upstream),
    ...present({ upstream: upstreamTermsOf(facts.capability) }),
    log: span === undefined ? service.log : tracedLog(service.log, trace),
    bound: boundOf(facts),
    cost: { report: (actual) => reportCost(reserved, actual) },
    bindings,
    caller: callerOf(invocation, facts),
    progress: async (data: Json) => listener?.progress(data),
    fail: (type, detail, data, status): never => {
      throw failureOfHandler(invocation.name, declaredFailures(service, invocation), { type, detail, data, status })
    },
    approvalRequired: (preview?: Json) => {
      if (facts.approval.used === undefined) throw new ApprovalNeeded(preview)
    },
    ...(approval && { approval }),
    ...(trace && { trace }),
  }
  return Object.defineProperty(context as HandlerContext & Asleep, 'signal', SIGNAL_WHEN_ASKED)
}

/**
 * Keys of callers are their own: the service behind sees one credential for all of them, and must not confuse their
 * calls.
 */
function upstreamKeyOf({ id, name, token: { claims }, idempotencyKey }: Invocation): string {
  const own = idempotencyKey === undefined ? [id] : [claims.root_principal, claims.sub, idempotencyKey]
  return sha256Hex(JSON.stringify([name, ...own]))
}

const declaredFailures = ({ capabilities }: Service, { name }: Invocation) =>
  businessFailuresOf(capabilities.get(name)!)

function reportCost(reserved: Reserved, { currency, amount }: Money): void {
  if (minorUnits({ currency, amount }) === undefined)
    throw new TypeError('The reported cost is not an amount of a known currency.')
  reserved.reported = { currency, amount }
}

const boundOf = ({ bindings }: GovernedFacts): { readonly [field: string]: ResolvedBinding } =>
  bindings.length === 0
    ? {}
    : Object.fromEntries(
        bindings.flatMap(({ field, known }) => {
          if (known === undefined) return []
          const { binding_id, type, price, data } = known
          return [[field, present({ binding_id, type, price, data })]]
        }),
      )

function approvalOf({ approval: { presented } }: GovernedFacts): HandlerContext['approval'] {
  if (presented === undefined) return undefined
  const { approval_request_id, grant_id, preview_digest } = presented.grant
  return present({ approval_request_id, grant_id, preview_digest })
}
