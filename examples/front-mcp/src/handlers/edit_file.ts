import type { EditFileHandler } from '../../generated/handlers.js'
import { filesUpstream } from '../files.js'

/** Edit File. */
export const editFile: EditFileHandler = (input, context) => filesUpstream.call({ tool: 'edit_file' }, input, context)
