import { sha256Hex } from '../../crypto/json/digest.js'
import type { CapabilityPlan } from './plan.js'

/**
 * The digest of what a generated file is made from, for its header. It is not the published digest of the manifest,
 * which covers the canonical form and does not exist for every text that code can hold.
 */
export const inputDigest = (head: string, parts: readonly CapabilityPlan[]): string =>
  `sha256:${sha256Hex(`${parts.map(({ name, digest }) => `${digest} ${name}`).join('\n')}\n${head}`)}`
