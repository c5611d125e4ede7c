/** What every storage back end must do. A back end runs it in one line: `describeStorage('sqlite', open)`. */
import { afterAll, beforeAll, describe } from 'vitest'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { accountsContract } from './contract/accounts.js'
import { allowancesContract } from './contract/allowances.js'
import { approvalsContract } from './contract/approvals.js'
import { connectionsContract } from './contract/connections.js'
import { quorumContract } from './contract/quorum.js'
import { auditContract } from './contract/audit.js'
import { idempotencyContract } from './contract/idempotency.js'
import { intentsContract } from './contract/intents.js'
import { leasesContract } from './contract/leases.js'
import { ledgerContract } from './contract/ledger.js'
import { operatorsContract } from './contract/operators.js'
import { outboxContract } from './contract/outbox.js'
import { ratesContract } from './contract/rates.js'
import { remainderContract } from './contract/remainder.js'
import { sessionsContract } from './contract/sessions.js'
import { tokensContract } from './contract/tokens.js'

/** A back end under test, and the means to let its clock pass. */
export interface Harness {
  readonly storage: Storage
  /** Another process's view of the same database. */
  readonly replica: Storage
  pass(ms: number): Promise<void>
  close(): Promise<void>
}

export type Subject = () => Harness

export function describeStorage(name: string, open: () => Promise<Harness>): void {
  describe(name, () => {
    let harness: Harness | undefined
    beforeAll(async () => {
      harness = await open()
    }, 120_000)
    afterAll(() => harness?.close())
    const subject: Subject = () => {
      if (harness === undefined) throw new Error('The back end did not open.')
      return harness
    }
    for (const contract of CONTRACTS) contract(subject)
  })
}

const CONTRACTS = [
  tokensContract,
  accountsContract,
  approvalsContract,
  quorumContract,
  leasesContract,
  ratesContract,
  ledgerContract,
  allowancesContract,
  operatorsContract,
  outboxContract,
  idempotencyContract,
  intentsContract,
  auditContract,
  sessionsContract,
  connectionsContract,
  remainderContract,
]
