import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ApprovalRequest } from '../../protocol/approval.js'
import type { Capability, Json, JsonObject, Manifest } from '../../protocol/manifest.js'
import { memberNamed, type Samples } from '../../conformance/samples.js'
import { readSamples } from '../conformance/read-samples.js'
import { EXIT } from '../shared/errors/cli-error.js'
import { AGENT_TOKEN } from './agent-token.js'
import { keyFileOf } from './identities.js'
import type { RunAs } from './run-as.js'

/** File of a service with sample inputs: capability -> input -> value. */
export const SAMPLES = 'samples.yaml'

const APPROVER = keyFileOf('approver')
const AUDITOR = keyFileOf('auditor')

/**
 * The keys that act as the agent, an approver and an auditor: each runs commands, and prints them. One runs at a time;
 * a key that is pressed meanwhile does nothing.
 */
export function actingKeys(root: string, say: (line: string) => void) {
  const makeCalls = sampleCalls(root, say)
  let asked: string | undefined
  let isRunning = false
  const act = async (keyPressed: () => Promise<unknown>): Promise<void> => {
    if (isRunning) return
    isRunning = true
    await keyPressed().finally(() => (isRunning = false))
  }
  const show = async (run: RunAs): Promise<void> => {
    asked = await oldestPending(run)
    await run(APPROVER, asked === undefined ? ['approvals', 'list'] : ['approvals', 'show', asked])
    if (asked !== undefined) say('Approve it? y or n')
  }
  const decide = async (how: 'approve' | 'deny', run: RunAs): Promise<void> => {
    const id = asked
    asked = undefined
    if (id !== undefined) await run(APPROVER, ['approvals', how, id])
  }
  return {
    call: (run: RunAs, capabilities: Manifest['capabilities']) => act(() => makeCalls(run, capabilities)),
    show: (run: RunAs) => act(() => show(run)),
    approve: (run: RunAs) => act(() => decide('approve', run)),
    deny: (run: RunAs) => act(() => decide('deny', run)),
    trail: (run: RunAs) => act(() => run(AUDITOR, ['audit', 'list'])),
  }
}

async function oldestPending(run: RunAs): Promise<string | undefined> {
  const { status, output } = await run(APPROVER, ['approvals', 'list', '--json'], false)
  if (status !== EXIT.ok) return undefined
  const { approval_requests } = JSON.parse(output) as { readonly approval_requests: readonly ApprovalRequest[] }
  return approval_requests.at(-1)?.approval_request_id
}

/**
 * Makes the calls of `samples.yaml` in turn, as the agent, up to one that is refused. A call that needs an approval is
 * made again at the next key, with the same inputs; after any other refusal, and after the last call, the first is next.
 */
function sampleCalls(root: string, say: (line: string) => void) {
  let left: (readonly [capability: string, inputs: JsonObject])[] = []
  let answers: Json[] = []
  return async (run: RunAs, capabilities: Manifest['capabilities']): Promise<void> => {
    if (left.length === 0) [left, answers] = [Object.entries(samplesOf(root)), []]
    if (left.length === 0) say(`${SAMPLES} holds no calls. Write one, such as get_status: {}`)
    while (left.length > 0) {
      const [[capability, given]] = left as [(typeof left)[number]]
      const inputs = { ...fromAnswers(capabilities[capability], answers), ...given }
      const { status, output } = await run(AGENT_TOKEN, ['call', capability, ...Object.entries(inputs).map(word)])
      if (status === EXIT.needsApproval) {
        left = [[capability, inputs], ...left.slice(1)]
        return say('To approve it, press a, then y. Then press s again.')
      }
      left = status === EXIT.ok ? left.slice(1) : []
      if (status === EXIT.ok) answers = [JSON.parse(output) as Json, ...answers]
    }
  }
}

const samplesOf = (root: string): Samples => (existsSync(join(root, SAMPLES)) ? readSamples(join(root, SAMPLES)) : {})

/** Required inputs of a capability that an earlier answer holds, such as the id of a quote. */
function fromAnswers(capability: Capability | undefined, answers: readonly Json[]): JsonObject {
  const named = (capability?.inputs ?? []).filter(({ required }) => required !== false)
  const found = named.map(({ name }) => [name, memberNamed(answers, name)] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as JsonObject
}

/** An input as `svc call` takes it. */
const word = ([name, value]: readonly [string, Json]): string =>
  typeof value === 'string' ? `${name}=${value}` : `${name}:=${JSON.stringify(value)}`
