import { closed, flagSchema, listOf, oneOfSchema, textSchema, version } from '../../compiler/report/closed.js'
import { FILE_CHANGES } from '../build/write.js'

/** The shape of what `svc build --json` prints. */
export const BUILD = closed('What a build changed.', {
  version,
  check: flagSchema(
    'Whether nothing was written, because of --check: then it is what a build would change in generated/.',
  ),
  files: listOf(
    'The files that were changed; empty when all of them stood as they should.',
    closed('A file.', {
      path: textSchema('Where it is, relative to the folder of the service.'),
      change: oneOfSchema('What was done to it.', FILE_CHANGES),
      edited: flagSchema('Whether it held what svc did not write. A build replaces that with --force only.'),
    }),
  ),
})
