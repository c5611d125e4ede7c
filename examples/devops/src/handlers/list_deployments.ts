import type { ListDeploymentsHandler } from '../../generated/handlers.js'
import { deploymentsOf } from '../deployments.js'

/** List the deployments of an environment, with their state. */
export const listDeployments: ListDeploymentsHandler = ({ environment }) => ({
  deployments: [...deploymentsOf(environment)].map(([name, state]) => ({ name, state })),
})
