import { durationMs } from '../../protocol/durations.js'
import type { Json, JsonObject, Manifest } from '../../protocol/manifest.js'
import type { Money } from '../../protocol/money.js'
import { sameJson } from '../../runtime/index.js'
import type { TestCase, ExpectedDecision } from './case.js'
import { bindingIdOf, credentialOf, type TestedService } from './service.js'

/** Outcome of a call. */
export interface CaseOutcome {
  readonly decision: ExpectedDecision
  readonly failure: string | undefined
  readonly detail: string | undefined
  readonly cost: Partial<Money> | undefined
  readonly permission: string | undefined
  readonly result: Json | undefined
  /** True if an approver approved it. */
  readonly approved: boolean
}

export interface Result {
  readonly case: TestCase
  readonly outcome: CaseOutcome
  /** Differences from what is expected; empty if there are none. */
  readonly problems: readonly string[]
}

/** Makes the call of a case, and compares what came of it. */
export async function runCase(service: TestedService, manifest: Manifest, each: TestCase): Promise<Result> {
  service.world.case = each
  service.world.reached.clear()
  service.world.stubbed.clear()
  const outcome = await outcomeOf(service, manifest, each)
  const problems = problemsIn(each, outcome)
  const isWithoutQuote = problems.length > 0 && lacksQuoteOfStep(service, manifest, each, outcome)
  return { case: each, outcome, problems: isWithoutQuote ? [...problems, NO_QUOTE_OF_STEP] : problems }
}

const NO_QUOTE_OF_STEP =
  'A step needs a quote that another step issues, and handlers do not run here unless the file of cases names ' +
  'them: handlers: src/handlers/index.ts'

/** Holds for a composition whose step was given no genuine quote, because what quotes did not run. */
const lacksQuoteOfStep = (
  { world }: TestedService,
  { capabilities }: Manifest,
  { call, given }: TestCase,
  { failure, detail = '' }: CaseOutcome,
): boolean =>
  (failure === 'binding_stale' || (failure === 'composition_child_failed' && detail.includes('binding_stale'))) &&
  capabilities[call]?.composition !== undefined &&
  (world.stubbed.size > 0 || Object.keys(given).length > 0)

async function outcomeOf(service: TestedService, manifest: Manifest, each: TestCase): Promise<CaseOutcome> {
  const token = await tokenOf(service, manifest, each)
  if (typeof token !== 'string') return refused(token)
  service.world.now += durationMs(each.after ?? 'PT0S') ?? 0
  const permission = bucketOf(await service.post('/svc/permissions', token, {}), each.call)
  const parameters = { ...bindingIds(each), ...each.parameters }
  const call = (more: object) =>
    service.post(`/svc/invoke/${encodeURIComponent(each.call)}`, token, { parameters, ...more })
  const first = await call({})
  const request = failureOf(first)?.['approval_request_id']
  if (!each.approve || request === undefined) return seen(service, first, manifest, each, permission, false)
  const grant = await approved(service, { approval_request_id: request, grant_type: 'one_time' })
  if (grant['grant_id'] === undefined) return refused(grant)
  return seen(service, await call({ approval_grant: grant['grant_id'] }), manifest, each, permission, true)
}

/** The grant, by as many people as must approve. */
async function approved(service: TestedService, terms: JsonObject): Promise<JsonObject> {
  let answer: JsonObject = { status: 'pending' }
  for (let n = 1; answer['status'] === 'pending'; n++)
    answer = await service.post('/svc/approval_grants', credentialOf(`human:approver${n}@localhost`), terms)
  return answer
}

const bindingIds = ({ bindings }: TestCase): JsonObject =>
  Object.fromEntries(Object.keys(bindings).map((field) => [field, bindingIdOf(field)]))

/** The token that calls, or the answer of whoever refused one. */
async function tokenOf(
  service: TestedService,
  { capabilities }: Manifest,
  each: TestCase,
): Promise<string | JsonObject> {
  const scope = [...new Set(Object.values(capabilities).flatMap(({ minimum_scope }) => minimum_scope))]
  let issued = await service.post('/svc/tokens', credentialOf(each.as), { scope, ...each.token })
  for (const request of each.delegate) {
    const { token, token_id, scope: held } = issued
    if (typeof token !== 'string') return issued
    const subject = request.subject ?? each.token.subject ?? each.as
    issued = await service.post('/svc/tokens', token, { scope: held, ...request, subject, parent_token: token_id })
  }
  return typeof issued['token'] === 'string' ? issued['token'] : issued
}

const failureOf = (answer: JsonObject): JsonObject | undefined => answer['failure'] as JsonObject | undefined
const textOf = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

/** Before it came to a call. */
const refused = (answer: JsonObject): CaseOutcome => ({
  decision: 'denied',
  failure: textOf(failureOf(answer)?.['type']),
  detail: textOf(failureOf(answer)?.['detail']),
  cost: undefined,
  permission: undefined,
  result: undefined,
  approved: false,
})

function seen(
  { world }: TestedService,
  answer: JsonObject,
  manifest: Manifest,
  each: TestCase,
  permission: string | undefined,
  approved: boolean,
): CaseOutcome {
  const failure = textOf(failureOf(answer)?.['type'])
  const isOfStub = failure === 'internal_error' || failure === 'outcome_unknown'
  // What a handler of ours gives may not be what the manifest promises: that it was reached is what counts.
  const isAllowed = failure === undefined || (isOfStub && world.stubbed.size > 0)
  const isDecided = isAllowed || (failure !== 'approval_required' && world.reached.has(each.call))
  const decision = isDecided ? 'allowed' : failure === 'approval_required' ? 'approval' : 'denied'
  const detail = textOf(failureOf(answer)?.['detail'])
  const cost = costIn(answer, manifest, each)
  return {
    decision,
    failure: isAllowed ? undefined : failure,
    detail,
    cost,
    permission,
    result: answer['result'],
    approved,
  }
}

/** Returns the amount checked against the budget, or else the cost of the call. */
function costIn(answer: JsonObject, { capabilities }: Manifest, { call }: TestCase): Partial<Money> | undefined {
  const checked = (answer['budget_context'] as JsonObject | undefined)?.['cost_check_amount']
  const currency = capabilities[call]?.cost?.financial?.currency
  if (typeof checked === 'number' && currency !== undefined) return { currency, amount: checked }
  return answer['cost_actual'] as unknown as Money | undefined
}

/** Finds the permission bucket of the capability. */
const bucketOf = (permissions: JsonObject, name: string): string | undefined =>
  ['available', 'restricted', 'denied'].find((bucket) =>
    ((permissions[bucket] ?? []) as readonly JsonObject[]).some(({ capability }) => capability === name),
  )

function problemsIn({ expect }: TestCase, outcome: CaseOutcome): readonly string[] {
  const why = outcome.failure === undefined ? '' : ` (${outcome.failure}: ${outcome.detail ?? ''})`
  const differs = (what: string, wanted: unknown, found: unknown): readonly string[] =>
    wanted === undefined || wanted === found
      ? []
      : [`expected ${what} ${String(wanted)}, found ${found === undefined ? 'none' : String(found)}${why}`]
  return [
    ...differs('decision', expect.decision, outcome.decision),
    ...differs('failure', expect.failure, outcome.failure),
    ...(expect.detail !== undefined && outcome.detail?.includes(expect.detail) === true
      ? []
      : differs('detail', expect.detail, outcome.detail)),
    ...differs('amount', expect.cost?.amount, outcome.cost?.amount),
    ...differs('currency', expect.cost?.currency, outcome.cost?.currency),
    ...differs('permission', expect.permission, outcome.permission),
    ...differences('result', expect.result, outcome.result),
  ]
}

/** Members that are expected, each as it is found; others may be there. */
function differences(path: string, wanted: Json | undefined, found: Json | undefined): readonly string[] {
  if (wanted === undefined) return []
  const isBoth = typeof wanted === 'object' && wanted !== null && typeof found === 'object' && found !== null
  if (!isBoth || Array.isArray(wanted) !== Array.isArray(found))
    return sameJson(wanted, found)
      ? []
      : [`expected ${path} ${JSON.stringify(wanted)}, found ${JSON.stringify(found) ?? 'none'}`]
  const count =
    Array.isArray(wanted) && wanted.length !== (found as readonly Json[]).length
      ? [`expected ${wanted.length} items in ${path}, found ${(found as readonly Json[]).length}`]
      : []
  const inner = Object.entries(wanted).flatMap(([name, each]) =>
    differences(`${path}.${name}`, each as Json, (found as JsonObject)[name]),
  )
  return [...count, ...inner]
}
