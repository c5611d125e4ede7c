import type { SearchFilesHandler } from '../../generated/handlers.js'
import { filesUpstream } from '../files.js'

/** Search Files. */
export const searchFiles: SearchFilesHandler = (input, context) =>
  filesUpstream.call({ tool: 'search_files', reads: true }, input, context)
