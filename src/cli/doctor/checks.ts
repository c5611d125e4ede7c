import type { Check } from './check.js'
import { clock } from './clock.js'
import { apiKeys, environment, signingKeys } from './credentials.js'
import { dependencies, node } from './machine.js'
import { build, manifest } from './project.js'

/** What `svc doctor` looks at, in the order in which it reports. */
export const CHECKS: readonly Check[] = [node, dependencies, manifest, build, signingKeys, apiKeys, environment, clock]
