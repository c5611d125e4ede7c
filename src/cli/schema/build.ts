import { closed, flag, listOf, oneOf, text, version } from '../../compiler/report/closed.js'
import { CHANGES } from '../generate/write.js'

/** The shape of what `svc build --json` prints. */
export const BUILD = closed('What a build changed.', {
  version,
  check: flag('Whether nothing was written, because of --check: then it is what a build would change in generated/.'),
  files: listOf(
    'The files that were changed; empty when all of them stood as they should.',
    closed('A file.', {
      path: text('Where it is, relative to the folder of the service.'),
      change: oneOf('What was done to it.', CHANGES),
      edited: flag('Whether it held what svc did not write. A build replaces that with --force only.'),
    }),
  ),
})
