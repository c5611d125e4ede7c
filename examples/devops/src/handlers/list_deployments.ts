import type { ListDeploymentsHandler } from '../../generated/handlers.js'
import type { ListDeploymentsOutput } from '../../generated/types.js'
import { deploymentsOf } from '../deployments.js'

/** List the deployments of an environment, with their state. */
export const listDeployments: ListDeploymentsHandler = ({ environment }): ListDeploymentsOutput => ({
  deployments: [...deploymentsOf(environment)].map(([name, state]) => ({ name, state })),
})
