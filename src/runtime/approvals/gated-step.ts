import type { DisclosureLevel } from '../../protocol/words.js'
import { disclosedReason } from '../errors/disclosure.js'
import { digestOf } from '../../crypto/json/digest.js'
import type { ApprovalRequest, GatedStep } from '../../protocol/approval.js'
import type { Composition, JsonObject } from '../../protocol/manifest.js'
import { sensitiveInputs } from '../audit/logged-members.js'
import type { Service } from '../service.js'
import type { FinishedStep, StoredRequest } from '../storage/contract.js'

/** A step that waits for an approval, and what the steps before it gave. */
export interface WaitingStep {
  readonly id: string
  readonly capability: string
  readonly parameters: JsonObject
  readonly progress: readonly FinishedStep[]
}

/** Returns the data of a step for the approver, and its progress, from which a continuation resumes. */
export const waitingStep = ({ id, capability, parameters, progress }: WaitingStep) => ({
  step: {
    id,
    capability,
    parameters,
    parameters_digest: digestOf(parameters),
    progress_digest: progressDigest(progress),
  },
  progress,
})

/** The step as a grant names it. */
export function gatedStepOf({ step }: Pick<ApprovalRequest, 'step'>): GatedStep | undefined {
  if (step === undefined) return undefined
  const { parameters: _, ...named } = step
  return named
}

export const progressDigest = (progress: readonly FinishedStep[] = []): string => digestOf(progress)

/** Holds when the composition, as it is now, runs the finished steps first and the gated one next. */
export const continuesWith = (
  { steps }: Composition,
  { id, capability }: GatedStep,
  { progress = [] }: Pick<StoredRequest, 'progress'>,
): boolean =>
  [...progress, { id, capability }].every(
    (each, index) => steps[index]?.id === each.id && steps[index].capability === each.capability,
  )

type Declared = Pick<Service, 'capabilities'>

/** A request as its approvers may read it: not what earlier steps gave, and no input that is sensitive. */
export function shownToApprover({ capabilities }: Declared, stored: StoredRequest): ApprovalRequest {
  const { requested_parameters, step, ...request } = withoutInternals(stored)
  const whole = withoutSensitive(sensitiveInputs(capabilities, request.capability), requested_parameters)
  const part = step && withoutSensitive(sensitiveInputs(capabilities, step.capability), step.parameters)
  const hidden = [...new Set([...whole.hidden, ...(part?.hidden ?? [])])]
  return {
    ...request,
    requested_parameters: whole.shown,
    ...(step && part && { step: { ...step, parameters: part.shown } }),
    ...(hidden.length > 0 && { hidden }),
  }
}

/** Parts the values that an approver may see from the names of those that are hidden (decisions, section 17). */
function withoutSensitive(sensitive: readonly string[], values: JsonObject) {
  const names = sensitive.filter((name) => Object.hasOwn(values, name))
  return { shown: Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name))), hidden: names }
}

function withoutInternals(stored: StoredRequest): ApprovalRequest {
  const { progress: _, credential: __, root_token_id: ___, isErased: ____, compared_cost: _____, ...request } = stored
  return request
}

/**
 * A request as its requester may read it: not even what a step would do with what the service knows, and the reason as
 * a detail.
 */
export function shownToRequester(stored: StoredRequest, level: DisclosureLevel = 'full'): object {
  const { step, bound: _, approved_before: __, ...rest } = withoutInternals(stored)
  const shown = { ...rest, reason: disclosedReason(rest.reason, level) }
  return step === undefined ? shown : { ...shown, step: { id: step.id, capability: step.capability } }
}
