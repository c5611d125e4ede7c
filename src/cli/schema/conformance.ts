import { closed, countSchema, listOf, oneOfSchema, textSchema, version } from '../../compiler/report/closed.js'
import { RESULTS } from '../../conformance/results.js'

/** The shape of what `svc conformance --json` prints. */
export const CONFORMANCE = closed('Conformance of a service.', {
  version,
  url: textSchema('The base address of the service, as it was given.'),
  passed: countSchema('Cases that hold.'),
  failed: countSchema('Cases that do not; the service conforms when there are none.'),
  not_applicable: countSchema('Cases that this service gives no occasion for.'),
  not_tried: countSchema('Cases that cannot be tried with these credentials and samples.'),
  cases: listOf(
    'The cases, in the order of the interface document.',
    closed(
      'A sentence of the interface document.',
      {
        section: textSchema('Its section.'),
        title: textSchema('Requirement.'),
        result: oneOfSchema('Result of the case.', RESULTS),
      },
      { reason: textSchema('Actual result, or why the case does not apply or was not tried; absent if it passed.') },
    ),
  ),
})
