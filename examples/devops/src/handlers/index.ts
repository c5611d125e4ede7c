export { deleteEnvironment } from './delete_environment.js'
export { listDeployments } from './list_deployments.js'
export { restartDeployment } from './restart_deployment.js'
