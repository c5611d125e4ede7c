import type { JsonObject } from '../../protocol/manifest.js'
import { approval } from './approval.js'
import { composition } from './composition.js'
import { cost } from './cost.js'
import { description } from './description.js'
import { all, differing, type Comparison } from './difference.js'
import { principals, scopes, sideEffect } from './effect.js'
import { extensions } from './extensions.js'
import { inputs } from './inputs.js'
import { output } from './output.js'
import { bindings, controls, requirements } from './prerequisites.js'
import { businessEffects, hints, observability, responseModes } from './trail.js'

/** A field of a capability -> what its change means. A field that is not here is reported as one that is not known. */
const FIELDS = {
  description,
  inputs,
  output,
  side_effect: sideEffect,
  minimum_scope: scopes,
  requires_principal: principals,
  cost,
  requires: requirements,
  requires_binding: bindings,
  control_requirements: controls,
  composition,
  response_modes: responseModes,
  observability,
  business_effects: businessEffects,
  approval,
  extensions,
} as const satisfies { readonly [field: string]: Comparison }

/** Looked at elsewhere: with the composition, with the hints, with the versions. */
const ELSEWHERE = ['kind', 'refresh_via', 'verify_via', 'cross_service', 'contract_version']

/** What is otherwise in a capability, but for its version. */
export const capabilityChanges = (hasEffect: (capability: string) => boolean): Comparison =>
  all([...Object.values(FIELDS), hints(hasEffect), unknownFields])

const unknownFields: Comparison = (before, after) => {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const known = (name: string): boolean => Object.hasOwn(FIELDS, name) || ELSEWHERE.includes(name)
  return [...names].filter((name) => !known(name)).flatMap((name) => changedField(name, before, after))
}

const changedField = (name: string, before: JsonObject, after: JsonObject) =>
  differing([name], before[name], after[name], () => 'SVC9250')
