import type { ListDirectoryHandler } from '../../generated/handlers.js'
import { filesUpstream } from '../files.js'

/** List Directory. */
export const listDirectory: ListDirectoryHandler = (input, context) =>
  filesUpstream.call({ tool: 'list_directory', reads: true }, input, context)
