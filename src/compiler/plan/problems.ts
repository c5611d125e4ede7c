import type { CapabilityPlan } from './plan.js'
import { wrongFailuresOf } from './wrong-failures.js'

/** Why no code can be made from a manifest. */
export interface PlanProblem {
  readonly message: string
}

/**
 * Names that would become one name, and failures that cannot be made from what is declared. Each problem names all who
 * are in it.
 */
export const problemsOf = (capabilities: readonly CapabilityPlan[]): readonly PlanProblem[] => [
  ...collisions(capabilities),
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

const failureProblems = ({ name, declaration }: CapabilityPlan): readonly PlanProblem[] =>
  wrongFailuresOf(declaration).map((wrong) => ({ message: `In x-failures of ${name}, ${wrong}.` }))
