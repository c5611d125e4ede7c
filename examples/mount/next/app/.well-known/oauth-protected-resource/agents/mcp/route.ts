export { handle as GET } from '../../../../../agents'
