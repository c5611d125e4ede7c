import type { Capability, Input, JsonObject } from '../../../protocol/manifest.js'
import { membersBy } from '../../json/members-by.js'
import { wellFormed } from '../../json/well-formed.js'
import { refuse } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import type { CallFacts } from '../facts/facts.js'
import { outcomeOf } from './modes.js'
import { givenValue, type InputOutcome } from './outcome.js'
import { sourcesOf } from './sources.js'

/**
 * The inputs that a handler gets: resolved, defaulted and valid; or a refusal, or a question back (section 2.6, rule
 * 4).
 */
export async function resolveInputs(service: Service, facts: CallFacts): Promise<JsonObject> {
  const { name, capability, request, token } = facts
  assertDeclared(capability, request.parameters)
  const sources = sourcesOf(service, name, token)
  const coming = capability.inputs.map((input) => outcomeOf(input, givenValue(request.parameters, input), sources))
  // Most values are there already, and cost no wait.
  const found = coming.some((each) => each instanceof Promise) ? await Promise.all(coming) : (coming as InputOutcome[])
  const outcomes = capability.inputs.map((input, index) => ({
    input,
    outcome: valid(service, name, input, found[index]!),
  }))
  if (!outcomes.every(({ outcome }) => outcome.kind === 'value' || outcome.kind === 'omitted')) {
    refuseProblems(outcomes)
    askBack(outcomes)
  }
  return valuesOf(outcomes)
}

const valuesOf = (outcomes: readonly Resolved[]): JsonObject =>
  membersBy(
    outcomes,
    ({ input }) => input.name,
    ({ outcome }) => (outcome.kind === 'value' ? outcome.value : undefined),
  )

interface Resolved {
  readonly input: Input
  readonly outcome: InputOutcome
}

const declared = new WeakMap<readonly Input[], ReadonlySet<string>>()

/** The names of a capability's inputs, gathered once. */
function namesOf(inputs: readonly Input[]): ReadonlySet<string> {
  const known = declared.get(inputs)
  if (known !== undefined) return known
  const names = new Set(inputs.map((input) => input.name))
  declared.set(inputs, names)
  return names
}

function assertDeclared({ inputs }: Capability, parameters: JsonObject): void {
  const names = namesOf(inputs)
  const unknown = Object.keys(parameters).filter((name) => !names.has(name))
  if (unknown.length === 0) return
  const shown = unknown.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 40)))
  refuse('invalid_parameters', `The capability has no parameter ${shown.join(', ')}.`)
}

/** A value that its declared type does not allow is a problem, wherever it came from. */
function valid(service: Service, capability: string, { name }: Input, outcome: InputOutcome): InputOutcome {
  if (outcome.kind !== 'value') return outcome
  const [problem] = service.validators[capability]?.input[name]?.(outcome.value) ?? []
  // A resolver may have cut a text in the middle of a character.
  if (problem === undefined) return { ...outcome, value: wellFormed(outcome.value) }
  // What is inside a value is named by a JSON pointer into the parameters.
  return { kind: 'refused', problem: `${problem.path === '' ? name : `/${name}${problem.path}`} ${problem.message}` }
}

function refuseProblems(outcomes: readonly Resolved[]): void {
  const problems = outcomes.flatMap(({ input, outcome }) =>
    outcome.kind === 'refused' ? [{ input, problem: outcome.problem }] : [],
  )
  if (problems.length === 0) return
  refuse('invalid_parameters', `Not valid: ${problems.map(({ problem }) => problem).join('; ')}.`, {
    requires: problems.map(({ input }) => input.name).join(', '),
  })
}

function askBack(outcomes: readonly Resolved[]): void {
  const questions = outcomes.flatMap(({ outcome }) => (outcome.kind === 'clarify' ? [outcome.question] : []))
  if (questions.length === 0) return
  const names = questions.map(({ name }) => name).join(', ')
  refuse('clarification_required', `These inputs need clarification: ${names}.`, {
    requires: names,
    clarification: { inputs: questions },
  })
}
