import { describe, expect, it } from 'vitest'
import { startRecorder } from '../../../../src/runtime/audit/recorder.js'
import { sealEntry } from '../../../../src/runtime/storage/seal.js'
import { DuplicateId, type Intent } from '../../../../src/runtime/storage/contract.js'
import type { Subject } from '../contract.js'
import { draft, fresh, freshInvocation } from '../examples.js'

const intentOf = (owner: string, invocationId = freshInvocation()): Intent => ({
  invocation_id: invocationId,
  owner,
  draft: draft({ invocation_id: invocationId, success: false, failure_type: 'outcome_unknown' }),
  started_at: 1,
})

export const intentsContract = (subject: Subject): void => {
  describe('intents', () => {
    const orphansOf = async (owner: string): Promise<readonly Intent[]> =>
      (await subject().replica.intents.orphans(1000)).filter((intent) => intent.owner === owner)

    it('are orphans when their owner holds no lease, and only then', async () => {
      const { storage, pass } = subject()
      const owner = fresh('p')
      const intent = intentOf(owner)
      await storage.leases.acquire(`process:${owner}`, owner, 2_000)
      await storage.intents.record(intent)
      expect(await orphansOf(owner)).toEqual([])
      await pass(2_100)
      expect(await orphansOf(owner)).toEqual([intent])
    })

    it('are closed by their entry', async () => {
      const { storage } = subject()
      const intent = intentOf(fresh('p'))
      await storage.intents.record(intent)
      await startRecorder({ storage }).record({ draft: intent.draft, closesIntent: intent.invocation_id })
      expect(await orphansOf(intent.owner)).toEqual([])
    })

    it('refuse an invocation id that is taken', async () => {
      const { storage } = subject()
      const intent = intentOf(fresh('p'))
      await storage.intents.record(intent)
      await expect(storage.intents.record({ ...intent, owner: 'other' })).rejects.toBeInstanceOf(DuplicateId)
    })

    it('are recorded together, and each caller is told of its own', async () => {
      const { storage } = subject()
      const owner = fresh('p')
      const taken = intentOf(owner)
      await storage.intents.record(taken)
      const key = (name: string) => ({ subject: 'agent:a', capability: 'book', key: fresh(name) }) as const
      const [claimed, lapsed] = [key('claimed'), key('lapsed')]
      const under = { ...intentOf(owner), idempotency: claimed }
      await storage.idempotency.start(claimed, 'd', under.invocation_id, (await storage.now()) + 60_000)
      const twice = intentOf(owner)
      const asked = [intentOf(owner), taken, under, { ...intentOf(owner), idempotency: lapsed }, twice, twice]
      const told = await Promise.allSettled(asked.map((intent) => storage.intents.record(intent)))
      expect(told.map((each) => (each.status === 'fulfilled' ? 'recorded' : each.reason.constructor.name))).toEqual([
        'recorded', 'DuplicateId', 'recorded', 'StorageUnavailable', 'recorded', 'DuplicateId',
      ]) // prettier-ignore
      const ids = (await orphansOf(owner)).map(({ invocation_id }) => invocation_id)
      expect(ids.sort()).toEqual([asked[0]!, taken, under, twice].map(({ invocation_id }) => invocation_id).sort())
    })

    it('are closed by their entries, however many end together', async () => {
      const { storage } = subject()
      const owner = fresh('p')
      const intents = Array.from({ length: 70 }, () => intentOf(owner))
      await Promise.all(intents.map((intent) => storage.intents.record(intent)))
      await storage.audit.append(
        () => intents.map(({ draft, invocation_id }) => ({ draft, closesIntent: invocation_id })),
        sealEntry,
      )
      expect(await orphansOf(owner)).toEqual([])
    })

    it('whose process is gone are given no more at a time than are asked for', async () => {
      const { storage } = subject()
      const owner = fresh('p')
      for (let each = 0; each < 3; each++) await storage.intents.record(intentOf(owner))
      expect([(await storage.intents.orphans(1)).length, (await storage.intents.orphans(2)).length]).toEqual([1, 2])
    })

    it('go away where their call has an entry already, as one that its caller had given up', async () => {
      const { storage, replica } = subject()
      const intent = intentOf(fresh('p'))
      const recorder = startRecorder({ storage })
      const settlement = { draft: intent.draft, closesIntent: intent.invocation_id }
      await recorder.record(settlement)
      await storage.intents.record(intent)
      expect(await orphansOf(intent.owner)).toEqual([intent])
      expect(await startRecorder({ storage: replica }).record(settlement)).toBeUndefined()
      expect(await orphansOf(intent.owner)).toEqual([])
    })

    it('go away where their call has an entry already, beside one that has none', async () => {
      const { storage } = subject()
      const owner = fresh('p')
      const [late, lost] = [intentOf(owner), intentOf(owner)]
      const settlementOf = ({ draft, invocation_id }: Intent) => ({ draft, closesIntent: invocation_id })
      await startRecorder({ storage }).record(settlementOf(late))
      for (const intent of [late, lost]) await storage.intents.record(intent)
      const recorder = startRecorder({ storage })
      const sealed = await Promise.all([late, lost].map((intent) => recorder.record(settlementOf(intent))))
      expect(sealed.map((each) => each?.entry.invocation_id)).toEqual([undefined, lost.invocation_id])
      expect(await orphansOf(owner)).toEqual([])
    })

    it('are settled by one of two writers; the late one changes nothing', async () => {
      const { storage, replica } = subject()
      const intent = intentOf(fresh('p'))
      const tokenId = fresh('tok_')
      await storage.ledger.reserve(intent.invocation_id, [{ tokenId, maxUnits: 9n }], 5n)
      await storage.intents.record(intent)
      const unknown = await startRecorder({ storage: replica }).record({
        draft: intent.draft,
        closesIntent: intent.invocation_id,
      })
      const late = await startRecorder({ storage }).record({
        draft: { ...intent.draft, success: true, failure_type: null },
        closesIntent: intent.invocation_id,
        hold: { holdId: intent.invocation_id, units: 0n, ceilings: 1 },
      })
      expect(unknown?.entry.failure_type).toBe('outcome_unknown')
      expect(late).toBeUndefined()
      expect(await storage.ledger.spent(tokenId)).toBe(5n)
    })
  })
}
