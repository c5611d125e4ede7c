/** The deployments of each environment. A real service asks its cluster. */
const environments = new Map<string, Map<string, string>>([
  [
    'staging',
    new Map([
      ['web', 'up'],
      ['worker', 'up'],
    ]),
  ],
  [
    'production',
    new Map([
      ['web', 'up'],
      ['worker', 'up'],
      ['search', 'down'],
    ]),
  ],
])

export const deploymentsOf = (environment: string): ReadonlyMap<string, string> =>
  environments.get(environment) ?? new Map()

export function setState(environment: string, deployment: string, state: string): void {
  environments.get(environment)?.set(deployment, state)
}

export function removeEnvironment(environment: string): number {
  const count = deploymentsOf(environment).size
  environments.delete(environment)
  return count
}
