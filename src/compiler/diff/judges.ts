import { requirementChange } from './approval.js'
import { amountInputChange, cost } from './cost.js'
import { description } from './description.js'
import { anyChange, flagChange, valueOf, within, type Comparison } from './difference.js'
import { principals, sideEffect } from './effect.js'
import { exclusion, failures } from './extensions.js'
import type { FieldJudge, Judges } from './fields.js'
import { allowedValues, defaultValue, inputs, inputSchema, inputType, meanings } from './inputs.js'
import { outputFieldChanges, outputSchemaChange, outputType } from './output.js'
import { bindings } from './prerequisites.js'
import { onFailure, onMissing, resolution, resolutionMode } from './resolution.js'
import { anchoring, callerClasses, failureDetail, protocolVersion, signingKeys } from './service.js'
import { refreshVia, verifyVia } from './trail.js'

/** Comparisons that the table of fields names; whether a capability has an effect is known to its manifest. */
export const judgesOf = (hasEffect: (capability: string) => boolean): Judges => ({
  rows: {
    allowedValues: () => allowedValues,
    amountInput: () => amountInputChange,
    anchoring,
    approvalRequired: () => requirementChange,
    bindings,
    callerClasses: () => callerClasses,
    composition: ofBoth,
    cost,
    default: () => defaultValue,
    description: () => description,
    exclusion: () => exclusion,
    failureDetail: () => failureDetail,
    inputSchema: () => inputSchema,
    inputType: () => inputType,
    inputs,
    meanings: () => meanings,
    onFailure,
    onMissing: () => onMissing,
    outputFields: outputFieldChanges,
    outputSchema: () => outputSchemaChange,
    outputType: () => outputType,
    principals: () => principals,
    protocolVersion: () => protocolVersion,
    refreshVia: () => refreshVia(hasEffect),
    resolution,
    resolutionMode: () => resolutionMode,
    sideEffect,
    verifyVia: () => verifyVia,
  },
  others: {
    nullable: flagChange('nullable', { on: 'SVC9251', off: 'SVC9252', absent: false }),
    'x-failures': failures,
    'x-keys': signingKeys,
    'x-title': anyChange('x-title', 'SVC9226'),
    // The digest of the tools of a publication: each publication fills it in.
    'x-tools-sha256': () => [],
  },
})

/** An object that comes and goes with another field, which says so. */
function ofBoth(name: string, inside: Comparison): ReturnType<FieldJudge> {
  return (before, after) => {
    const [was, is] = [valueOf(before, [name]), valueOf(after, [name])]
    return was === undefined || is === undefined ? [] : within([name], inside(was as never, is as never))
  }
}
