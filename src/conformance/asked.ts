/** Approvals that the suite asks for, and withdraws or leaves decided so that no later call meets them. */
import type { JsonObject } from '../protocol/manifest.js'
import { cannotTry, doesNotApply } from './outcomes.js'
import {
  capabilitiesOf,
  isCallable,
  isSampleRefused,
  needsApproval,
  preparedParameters,
  tokenFor,
  unlike,
  type Named,
} from './samples.js'
import { textsIn, type LooseJson, type Reply, type RequestOptions, type ServiceUnderTest } from './target.js'

/** A session for services that grant approvals for sessions only. */
const SESSION = 'svc-conformance'

/** Terms of a grant that is good for one call, within the policy of a capability. */
export function termsOf(capability: LooseJson): JsonObject {
  const allowed = textsIn(capability['approval']?.['grant_policy']?.['allowed_grant_types'])
  return allowed.length === 0 || allowed.includes('one_time')
    ? { grant_type: 'one_time' }
    : { grant_type: 'session_bound', session_id: SESSION, max_uses: 1 }
}

export interface Waiting {
  readonly name: string
  readonly named: Named
  readonly token: string
  readonly parameters: JsonObject
  readonly reply: Reply
  readonly failure: LooseJson
  readonly id: string
  readonly terms: JsonObject
  /** Credential of the approver; a case that needs it is not tried without one. */
  readonly approver: string
}

interface How {
  /** Members of the request beside the parameters. */
  readonly body?: JsonObject
  readonly headers?: RequestOptions['headers']
  /** Asks with parameters that no other call has: the request is going to be denied. */
  readonly once?: boolean
}

/** Manifest -> the capability by which an approval could be asked for. */
const CHOSEN = new WeakMap<object, string>()
const MOST_TRIED = 8

/** An invocation that ended in approval_required, of a capability that the approver may decide on. */
export async function pending(target: ServiceUnderTest, how: How = {}): Promise<Waiting> {
  const candidates = candidatesOf(target)
  const reasons: string[] = []
  let undecidable: Waiting | undefined
  for (const named of candidates.slice(0, MOST_TRIED)) {
    const asked = await askedOf(target, named, how)
    if (typeof asked === 'string') reasons.push(asked)
    else if (await mayDecide(target, asked)) {
      CHOSEN.set(target.manifest, named[0])
      return asked
    } else undecidable ??= asked
  }
  return undecidable === undefined
    ? cannotTry(reasons[0] ?? 'no approval could be asked for')
    : withoutApprover(undecidable)
}

const withoutApprover = (asked: Waiting): Waiting => ({
  ...asked,
  get approver() {
    return cannotTry(`the approver credential may not decide on ${asked.name}`)
  },
})

function candidatesOf(target: ServiceUnderTest): readonly Named[] {
  const all = capabilitiesOf(target).filter(([, each]) => needsApproval(each))
  if (all.length === 0) doesNotApply('no capability always needs an approval')
  const callable = all.filter(([, each]) => isCallable(target, each))
  if (callable.length === 0) cannotTry('the credential may call no capability that always needs an approval')
  const single = callable.filter(([, each]) => ((each['approval']!['approvers'] ?? 1) as unknown) === 1)
  if (single.length === 0) cannotTry('each approval needs several approvers')
  const chosen = CHOSEN.get(target.manifest)
  return single.toSorted(([one], [other]) => Number(other === chosen) - Number(one === chosen))
}

/** The approval, or why this capability does not get that far. */
async function askedOf(
  target: ServiceUnderTest,
  named: Named,
  { body = {}, headers = {}, once = false }: How,
): Promise<Waiting | string> {
  const [name, capability] = named
  const terms = termsOf(capability)
  const token = await tokenFor(target, named, terms['session_id'] === undefined ? {} : { session_id: SESSION })
  const parameters = await parametersFor(target, token, named, once)
  if (parameters === undefined) return `a denial would answer later calls of ${name}: its inputs cannot be varied`
  const reply = await target.invoke(name, token, { parameters, ...body }, headers)
  const failure = (reply.body?.['failure'] ?? {}) as LooseJson
  const isDenied = failure['decision'] !== undefined || (failure['type'] as unknown) === 'approval_denied'
  if (isDenied) return `an earlier denial answers calls of ${name}`
  if (isSampleRefused(reply, named)) return `${name} refuses sample inputs: ${reply.text.slice(0, 200)} (--samples)`
  return {
    name,
    named,
    token,
    parameters,
    reply,
    failure,
    terms,
    id: failure['approval_request_id'] as unknown as string,
    get approver() {
      return target.credentials.approver ?? cannotTry('no approver credential')
    },
  }
}

/** Parameters of a call; undefined if they should be like no others and cannot be. */
async function parametersFor(
  target: ServiceUnderTest,
  token: string,
  named: Named,
  once: boolean,
): Promise<JsonObject | undefined> {
  const parameters = await preparedParameters(target, token, named)
  const isFresh = named[1]['requires_binding'] !== undefined
  return !once || isFresh ? parameters : unlike(named[1], parameters)
}

/** False where it shows that the approver may not decide; who says nothing of the scope may find out by deciding. */
async function mayDecide(target: ServiceUnderTest, asked: Waiting): Promise<boolean> {
  const { approver } = target.credentials
  const isKnown = asked.failure['resolution']?.['requires'] !== undefined
  return approver === undefined || !isKnown || mayHaveApproverScope(target, approver, asked)
}

/** Holds for a credential that may have the scope by which a request is decided. */
export async function mayHaveApproverScope(
  target: ServiceUnderTest,
  credential: string,
  { name, failure }: Pick<Waiting, 'name' | 'failure'>,
): Promise<boolean> {
  const needed = (failure['resolution']?.['requires'] as string | undefined) ?? `approver:${name}`
  for (const scope of new Set([needed, `approver:${name}`]))
    if ((await target.post('/svc/tokens', credential, { scope: [scope] })).status === 200) return true
  return false
}

/** Checks the answer to a decision: the case is not tried if the credential may not decide. */
export function byApprover(reply: Reply): Reply {
  if ((reply.body?.['failure']?.['type'] as unknown) === 'approver_not_authorized')
    cannotTry('the approver credential may not decide on this approval')
  return reply
}

/** A grant by the approver. */
export const grantBy = async (target: ServiceUnderTest, asked: Waiting, body: object = asked.terms): Promise<Reply> =>
  byApprover(await target.post('/svc/approval_grants', asked.approver, { approval_request_id: asked.id, ...body }))
