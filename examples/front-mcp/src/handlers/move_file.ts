import type { MoveFileHandler } from '../../generated/handlers.js'
import { filesUpstream } from '../files.js'

/** Move File. */
export const moveFile: MoveFileHandler = (input, context) => filesUpstream.call({ tool: 'move_file' }, input, context)
