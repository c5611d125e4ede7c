import type { WriteFileHandler } from '../../generated/handlers.js'
import { filesUpstream } from '../files.js'

/** Write File. */
export const writeFile: WriteFileHandler = (input, context) =>
  filesUpstream.call({ tool: 'write_file' }, input, context)
