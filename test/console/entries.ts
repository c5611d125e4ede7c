import type { AnsweredEntry } from '../../src/protocol/audit.js'
import { at } from './screen.js'

/** An entry of the trail, as the service answers it. */
export const entry = (sequence: number, more: Partial<AnsweredEntry> = {}): AnsweredEntry =>
  ({
    sequence,
    entry_type: 'invocation',
    invocation_id: `inv-${String(sequence).padStart(12, '0')}`,
    capability: 'book',
    actor_key: 'agent:desk',
    root_principal: 'human:ana',
    event_class: 'low_risk_success',
    success: true,
    failure_type: null,
    client_reference_id: null,
    task_id: null,
    parent_invocation_id: null,
    upstream_service: null,
    approval_request_id: null,
    approval_grant_id: null,
    token_id: 'tok_1',
    delegation_chain: ['tok_1'],
    cost_actual: null,
    parameters: {},
    timestamp: at(-sequence * 10),
    ...more,
  }) as AnsweredEntry
