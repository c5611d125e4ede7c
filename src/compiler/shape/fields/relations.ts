/** Relations of a capability to others: hints for agents and people. */
import {
  COMPLETION_MODES,
  type CONTRACT_LISTS,
  type CROSS_SERVICE_LISTS,
  SESSION_TYPES,
} from '../../../protocol/words.js'
import { judged, required, type Field, type ManifestShape } from '../field.js'
import { flag, list, object, text, word } from '../kinds.js'

const CROSS_REFERENCE: ManifestShape = {
  title: 'service capability reference',
  codes: { type: 'SVC3106' },
  fields: {
    service: judged(
      { with: 'cross_service', kinds: ['SVC9144'] },
      required(text('Target service id [2.9].'), 'SVC3102'),
    ),
    capability: judged(
      { with: 'cross_service', kinds: ['SVC9144'] },
      required(text('Capability name on that service [2.9].'), 'SVC3102'),
    ),
  },
}

const references = list(
  'Capabilities of other services [2.9].',
  object('A capability of another service.', CROSS_REFERENCE),
)

export const CROSS_SERVICE: ManifestShape = {
  title: 'cross-service hints',
  codes: { unknown: 'SVC3101' },
  fields: {
    handoff_to: judged({ with: 'cross_service', kinds: ['SVC9144'] }, references),
    refresh_via: judged({ with: 'cross_service', kinds: ['SVC9144'] }, references),
    verify_via: judged({ with: 'cross_service', kinds: ['SVC9144'] }, references),
    followup_via: judged({ with: 'cross_service', kinds: ['SVC9144'] }, references),
  } satisfies { readonly [name in (typeof CROSS_SERVICE_LISTS)[number]]: Field },
}

const CONTRACT_STEP: ManifestShape = {
  title: 'contract step',
  fields: {
    target: judged(
      { with: 'cross_service_contract', kinds: ['SVC9265'] },
      required(object('The capability of another service.', CROSS_REFERENCE)),
    ),
    required_for_task_completion: judged(
      { with: 'cross_service_contract', kinds: ['SVC9265'] },
      flag('True if the task is incomplete without the step; default false.'),
    ),
    continuity: judged(
      { with: 'cross_service_contract', kinds: ['SVC9265'] },
      required(word('The step belongs to the same task.', ['same_task'])),
    ),
    completion_mode: judged(
      { with: 'cross_service_contract', kinds: ['SVC9265'] },
      required(word('Evidence that the step is complete.', COMPLETION_MODES)),
    ),
  },
}

const contractSteps = list('Steps on other services.', object('A step on another service.', CONTRACT_STEP))

export const CROSS_SERVICE_CONTRACT: ManifestShape = {
  title: 'cross-service contract',
  fields: {
    handoff: judged({ with: 'cross_service_contract', kinds: ['SVC9265'] }, contractSteps),
    followup: judged({ with: 'cross_service_contract', kinds: ['SVC9265'] }, contractSteps),
    verification: judged({ with: 'cross_service_contract', kinds: ['SVC9265'] }, contractSteps),
  } satisfies { readonly [name in (typeof CONTRACT_LISTS)[number]]: Field },
}

export const COMPANION: ManifestShape = {
  title: 'companion capability',
  fields: {
    capability: judged({ with: 'composes_with', kinds: ['SVC9265'] }, required(text('A capability.'))),
    optional: judged({ with: 'composes_with', kinds: ['SVC9265'] }, flag('False if both are always called; default true.')),
  },
} // prettier-ignore

export const SESSION: ManifestShape = {
  title: 'session',
  open: true,
  scalarMeans: 'type',
  fields: { type: judged({ with: 'session', kinds: ['SVC9265'] }, word('Kind of the interaction; default stateless.', SESSION_TYPES))},
} // prettier-ignore
