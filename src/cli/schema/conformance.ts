import { closed, count, listOf, oneOf, text, version } from '../../compiler/report/closed.js'
import { RESULTS } from '../../conformance/results.js'

/** The shape of what `svc conformance --json` prints. */
export const CONFORMANCE = closed('What holds of a service.', {
  version,
  url: text('The base address of the service, as it was given.'),
  passed: count('Cases that hold.'),
  failed: count('Cases that do not; the service conforms when there are none.'),
  not_applicable: count('Cases that this service gives no occasion for.'),
  cases: listOf(
    'The cases, in the order of the interface document.',
    closed(
      'A sentence of the interface document.',
      {
        section: text('Its section.'),
        title: text('What must hold.'),
        result: oneOf('Whether it does.', RESULTS),
      },
      { reason: text('What was found instead, or why the case does not apply; absent when it passed.') },
    ),
  ),
})
