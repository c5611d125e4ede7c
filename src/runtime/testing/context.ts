import type { Json, JsonObject } from '../../protocol/manifest.js'
import type { Money } from '../../protocol/money.js'
import type { ContextBase, HandlerContext, NewBinding } from '../definition.js'
import { keptLog, type LogLine } from './log.js'

/** Thrown by `fail` of a test context: what the handler failed with. */
export class HandlerFailed extends Error {
  override readonly name = 'HandlerFailed'
  readonly type: string
  readonly data: JsonObject | undefined
  readonly status: number | undefined

  constructor(type: string, detail: string, data?: JsonObject, status?: number) {
    super(detail)
    this.type = type
    this.data = data
    this.status = status
  }
}

/** Thrown by `approvalRequired` of a test context that has no approval: what the approver would see. */
export class ApprovalAsked extends Error {
  override readonly name = 'ApprovalAsked'
  readonly preview: Json | undefined

  constructor(preview: Json | undefined) {
    super('The handler asks for an approval.')
    this.preview = preview
  }
}

type Made = 'cost' | 'bindings' | 'progress' | 'fail' | 'approvalRequired' | 'log'

/** Facts about the call that a test gives to a handler's context. */
export type ContextFacts<Context> = Partial<Omit<Context, Made>>

/** A context, and what the handler did with it. */
export interface TestContext<Context> {
  readonly context: Context
  /** Returns the reported cost; the last report counts, as in the service. */
  readonly cost: () => Money | undefined
  /** The bindings that were issued, with the ids that they were given: `bnd_test_1` and on. All end as 2030 begins. */
  readonly issued: readonly (NewBinding & { readonly binding_id: string })[]
  readonly progress: readonly Json[]
  readonly logs: readonly LogLine[]
}

/**
 * A context to call a single handler with, without a service: `testContext<BookFlightContext>({ bound: … })`. It
 * governs nothing; what the runtime checks before a handler is tested with `testService`.
 */
export function testContext<Context extends ContextBase = HandlerContext>(
  facts: ContextFacts<Context> = {},
): TestContext<Context> {
  const { log, lines } = keptLog()
  const issued: (NewBinding & { readonly binding_id: string })[] = []
  const progress: Json[] = []
  let cost: Money | undefined
  const made: Pick<HandlerContext, Made> = {
    log,
    cost: { report: (actual) => void (cost = actual) },
    bindings: {
      issue: async (binding) => {
        const binding_id = `bnd_test_${issued.length + 1}`
        issued.push({ ...binding, binding_id })
        return binding_id
      },
      validUntil: () => VALID_UNTIL,
    },
    progress: async (data) => void progress.push(data),
    fail: (type, detail, data, status): never => {
      throw new HandlerFailed(type, detail, data, status)
    },
    approvalRequired: (preview) => {
      if (context.approval === undefined) throw new ApprovalAsked(preview)
    },
  }
  const context: HandlerContext = { ...callOf(facts), ...made }
  return { context: context as unknown as Context, cost: () => cost, issued, progress, logs: lines }
}

/** A call of the developer of a scaffold, unless the test says otherwise. */
const callOf = (facts: object): Omit<HandlerContext, Made> => ({
  principal: DEVELOPER,
  token: { token_id: 'tok_test', subject: DEVELOPER, root_principal: DEVELOPER, scope: [], purpose: {} },
  invocation: { invocation_id: 'inv-000000000000' },
  signal: new AbortController().signal,
  idempotencyKey: () => 'idempotency-key-of-a-test',
  bound: {},
  caller: SILENT,
  ...facts,
})

/** A caller that can be told and asked nothing; a test that asks gives its own. */
const SILENT: ContextBase['caller'] = {
  can: { form: false, model: false, roots: false },
  tell: async () => undefined,
  ask: async () => {
    throw new TypeError('This context has a caller that cannot be asked: give one in `caller`.')
  },
}

const VALID_UNTIL = '2030-01-01T00:00:00.000Z'

const DEVELOPER = 'human:developer@localhost'
