import type { DeleteEnvironmentHandler } from '../../generated/handlers.js'
import type { DeleteEnvironmentOutput } from '../../generated/types.js'
import { deploymentsOf, removeEnvironment } from '../deployments.js'

/** Delete an environment with everything in it, for good. What is still up needs an approval; an empty one does not. */
export const deleteEnvironment: DeleteEnvironmentHandler = (
  { environment },
  { approvalRequired },
): DeleteEnvironmentOutput => {
  const names = [...deploymentsOf(environment).keys()]
  if (names.length > 0) approvalRequired({ environment, deployments: names })
  return { environment, deleted: removeEnvironment(environment) }
}
