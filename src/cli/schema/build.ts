import { closed, flagSchema, listOf, oneOfSchema, textSchema, version } from '../../compiler/report/closed.js'
import { FILE_CHANGES } from '../build/write.js'

/** The shape of what `svc build --json` prints. */
export const BUILD = closed('Files changed by a build.', {
  version,
  check: flagSchema('True with --check: nothing was written, and the list is what a build would change in generated/.'),
  files: listOf(
    'The files that were changed; empty when all of them stood as they should.',
    closed('A file.', {
      path: textSchema('Path of the file, relative to the folder of the service.'),
      change: oneOfSchema('Change of the file.', FILE_CHANGES),
      edited: flagSchema('True if the file was edited by hand. A build replaces it only with --force.'),
    }),
  ),
})
