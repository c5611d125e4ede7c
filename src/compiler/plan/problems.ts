import type { CapabilityPlan, Plan } from './plan.js'
import { wrongFailuresOf } from './wrong-failures.js'

/** Reason why no code can be generated from a manifest. */
export interface PlanProblem {
  readonly message: string
}

/**
 * Names that would become one name, and failures that cannot be made from what is declared. Each problem names all who
 * are in it.
 */
export const problemsOf = ({ capabilities, sharedTypes }: Plan): readonly PlanProblem[] => [
  ...collisions(capabilities),
  ...sharedCollisions(sharedTypes, capabilities),
  ...capabilities.flatMap(failureProblems),
]

function collisions(capabilities: readonly CapabilityPlan[]): readonly PlanProblem[] {
  const byName = new Map<string, string[]>()
  for (const { name, typeName } of capabilities) byName.set(typeName, [...(byName.get(typeName) ?? []), name])
  return [...byName].flatMap(([typeName, names]) =>
    names.length === 1
      ? []
      : [{ message: `The capabilities ${names.join(' and ')} would both be ${typeName} in TypeScript. Rename one.` }],
  )
}

/** Suffixes of generated names for each capability; the names it imports follow. */
const SUFFIXES = ['Parameters', 'Input', 'Output', 'Failure', 'FailureType', 'Outcome', 'Context', 'Handler'] as const
const OURS: ReadonlySet<string> = new Set(
  (
    'Any ApprovableCall ApprovalRefusal AskForApproval BindingRefusal Budget BudgetRefusal CallOptions ' +
    'CallRefusal Client ClientOptions ContextBase Credential ' +
    'Declared Delegated Dict Fail Governance Handlers Json JsonObject List Literal NotRequired Omit Optional ' +
    'Outcome Pending Preview Previews PricedBinding Progress Quotes ' +
    'Refusal Refused Registration ResolvedBinding Resolution Resolver Resolvers Stream Streaming Success ' +
    'TransportError TypeAlias TypedDict Union'
  ).split(' '),
)

/** A shared schema is a type by its own name, beside those that are made from capabilities. */
function sharedCollisions(
  shared: Plan['sharedTypes'],
  capabilities: readonly CapabilityPlan[],
): readonly PlanProblem[] {
  if (shared.length === 0) return []
  const taken = new Set(capabilities.flatMap(({ typeName }) => SUFFIXES.map((suffix) => `${typeName}${suffix}`)))
  return shared.flatMap(({ name }) =>
    taken.has(name) || OURS.has(name)
      ? [{ message: `\`x-schemas\` has ${name}, which generated code calls something of its own. Rename it.` }]
      : [],
  )
}

const failureProblems = ({ name, declaration }: CapabilityPlan): readonly PlanProblem[] =>
  wrongFailuresOf(declaration).map((wrong) => ({ message: `In x-failures of ${name}, ${wrong}.` }))
