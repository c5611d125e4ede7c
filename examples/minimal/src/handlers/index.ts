export { getStatus } from './get_status.js'
