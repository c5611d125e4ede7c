import type { ReadTextFileHandler } from '../../generated/handlers.js'
import { filesUpstream } from '../files.js'

/** Read Text File. */
export const readTextFile: ReadTextFileHandler = (input, context) =>
  filesUpstream.call({ tool: 'read_text_file', reads: true }, input, context)
