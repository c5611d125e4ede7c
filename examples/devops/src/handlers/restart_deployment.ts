import { setTimeout as passed } from 'node:timers/promises'
import type { RestartDeploymentHandler } from '../../generated/handlers.js'
import type { RestartDeploymentOutput } from '../../generated/types.js'
import { deploymentsOf, setState } from '../deployments.js'

/** ms that a deployment spends in each state. */
const PAUSE = 50

/** Restart one deployment, and report its progress until it is up again. */
export const restartDeployment: RestartDeploymentHandler = async (
  { environment, deployment },
  { fail, progress },
): Promise<RestartDeploymentOutput> => {
  if (!deploymentsOf(environment).has(deployment))
    return fail('deployment_unknown', `${environment} has no ${deployment}.`)
  for (const state of ['stopping', 'starting', 'up']) {
    setState(environment, deployment, state)
    await progress({ deployment, state })
    await passed(PAUSE)
  }
  return { deployment, state: 'up' }
}
