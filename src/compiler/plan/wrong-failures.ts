import { isMap, wrongFailure } from '../../protocol/business-failures.js'
import type { Capability } from '../../protocol/manifest.js'

/** Returns why the declared failures of a capability cannot be used: a clause for each. */
export function wrongFailuresOf({ extensions }: Capability): readonly string[] {
  const declared = extensions?.['x-failures'] ?? {}
  if (!isMap(declared)) return ['what stands is no mapping; write each failure as `name: description` below it']
  return Object.entries(declared).flatMap(([type, given]) => {
    const wrong = wrongFailure(type, given)
    return wrong === undefined ? [] : [`${JSON.stringify(type)} ${wrong}`]
  })
}
