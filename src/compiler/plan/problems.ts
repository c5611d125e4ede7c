import { isWrongDeclaration, wrongFailureName, wronglyDescribed } from './business-failures.js'
import type { CapabilityPlan } from './plan.js'

/** Why no code can be made from a manifest. */
export interface PlanProblem {
  readonly message: string
}

/** Names that would become one name, and failures that cannot be made from what is declared. Each problem names all who are in it. */
export const problemsOf = (capabilities: readonly CapabilityPlan[]): readonly PlanProblem[] => [
  ...collisions(capabilities),
  ...capabilities.filter(({ declaration }) => isWrongDeclaration(declaration)).map(wrongDeclaration),
  ...capabilities.flatMap(failureNameProblems),
  ...capabilities.flatMap(failureTextProblems),
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

const wrongDeclaration = ({ name }: CapabilityPlan): PlanProblem => ({
  message: `In ${name}, x-failures is no mapping. Write each failure as \`name: description\` below it.`,
})

const failureNameProblems = ({ name, context }: CapabilityPlan): readonly PlanProblem[] =>
  context.failures.flatMap(({ type }) => {
    const wrong = wrongFailureName(type)
    return wrong === undefined ? [] : [{ message: `In x-failures of ${name}, ${JSON.stringify(type)} ${wrong}.` }]
  })

const failureTextProblems = ({ name, declaration }: CapabilityPlan): readonly PlanProblem[] =>
  wronglyDescribed(declaration).map((type) => ({
    message: `In x-failures of ${name}, the description of ${JSON.stringify(type)} is no text. Say in quotes when it happens.`,
  }))
