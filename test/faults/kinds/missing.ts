import { ofSite, type Kind, type Kinds, type Made, type Styled } from '../fault.js'
import type { Site } from '../sites.js'

/** Takes a field out, with its line or its comma. */
function without({ text }: Styled, site: Site): Made | undefined {
  const { key, span, next, previous, isInFlow } = site
  const owner = [...site.owner, firstOf(site).key.start]
  if (isInFlow) {
    const [from, to] =
      next !== undefined ? [key.start, next.key.start] : previous !== undefined ? [previous.span.end, span.end] : [0, 0]
    return to === 0 ? undefined : { text: text.slice(0, from) + text.slice(to), at: [...owner, from] }
  }
  const from = text.lastIndexOf('\n', key.start) + 1
  if (text.slice(from, key.start).trim() !== '') return undefined
  const to = text.indexOf('\n', span.end) + 1 || text.length
  return { text: text.slice(0, from) + text.slice(to), at: owner }
}

const firstOf = (site: Site): Site => (site.previous === undefined ? site : firstOf(site.previous))

const missing = (fits: RegExp): Kind =>
  ofSite(
    ({ path }) => fits.test(path),
    (site, manifest) => without(manifest, site),
  )

const FIELDS = [
  'manifest_metadata', 'service_identity', 'trust', 'capabilities', 'manifest_metadata/version', 'service_identity/id', 'trust/level',
  'capabilities/*/description', 'capabilities/*/contract_version', 'capabilities/*/side_effect', 'capabilities/*/minimum_scope',
  'capabilities/*/inputs', 'capabilities/*/output', 'output/type', 'output/fields', 'inputs/[]/name', 'inputs/[]/type', 'resolution/mode',
  'cost/certainty', 'financial/currency', 'steps/[]/id', 'steps/[]/capability', 'composition/steps', 'composition/output_mapping',
  'composition/failure_policy', 'composition/audit_policy', 'composition/authority_boundary', 'requires/[]/reason',
  'requires_binding/[]/field', 'grant_policy/max_uses', 'grant_policy/allowed_grant_types', 'input_meanings/[]/label', 'side_effect/type',
] // prettier-ignore

/** A required field that is not there. */
export const MISSING: Kinds = Object.fromEntries(
  FIELDS.map((field) => {
    const end = field.replaceAll(/[[\]*]/gu, String.raw`\$&`)
    return [`missing: ${field}`, missing(new RegExp(field.includes('/') ? `(?:^|/)${end}$` : `^${end}$`, 'u'))]
  }),
)
