export { handle as GET, handle as HEAD, handle as OPTIONS, handle as POST } from '../../../agents'
