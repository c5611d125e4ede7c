import { describe, expect, it } from 'vitest'
import { startRecorder } from '../../../../src/runtime/audit/recorder.js'
import { sealEntry } from '../../../../src/runtime/storage/seal.js'
import { StorageUnavailable, type IdempotencyKey, type Intent } from '../../../../src/runtime/storage/contract.js'
import type { Subject } from '../contract.js'
import { draft, fresh, freshInvocation } from '../examples.js'

const freshKey = (): IdempotencyKey => ({ subject: 'agent:a', capability: 'book', key: fresh('key') })

const intentUnder = (idempotency: IdempotencyKey, invocation_id: string): Intent => ({
  invocation_id,
  owner: 'p',
  draft: draft({ invocation_id }),
  idempotency,
  started_at: 1,
})

export const idempotencyContract = (subject: Subject): void => {
  describe('idempotency', () => {
    it('starts one invocation of many with one key on two replicas', async () => {
      const { storage, replica } = subject()
      const key = freshKey()
      const expiresAt = (await storage.now()) + 60_000
      const started = await Promise.all(
        Array.from({ length: 24 }, (_, n) =>
          (n % 2 === 0 ? storage : replica).idempotency.start(key, 'd1', freshInvocation(), expiresAt),
        ),
      )
      expect(started.filter(({ state }) => state === 'started')).toHaveLength(1)
      expect(started.filter(({ state }) => state === 'in_progress')).toHaveLength(23)
    })

    it('gives the answer, byte for byte, once it is recorded', async () => {
      const { storage, replica } = subject()
      const [key, invocationId] = [freshKey(), freshInvocation()]
      const expiresAt = (await storage.now()) + 60_000
      await storage.idempotency.start(key, 'd1', invocationId, expiresAt)
      const body = '{"success":true,"n":1.50,"é":"\\u2028"}'
      await startRecorder({ storage }).record({
        draft: draft({ invocation_id: invocationId }),
        answer: { key, invocationId, status: 200, body },
      })
      expect(await replica.idempotency.start(key, 'd1', freshInvocation(), expiresAt)).toEqual({
        state: 'answered',
        status: 200,
        body,
      })
    })

    it('has an answer under it that no intent of the same invocation comes after', async () => {
      const { storage, replica } = subject()
      const [key, invocationId] = [freshKey(), freshInvocation()]
      await storage.idempotency.start(key, 'd1', invocationId, (await storage.now()) + 60_000)
      await startRecorder({ storage: replica }).record({
        draft: draft({ invocation_id: invocationId }),
        answer: { key, invocationId, status: 500, body: '{}' },
      })
      await expect(storage.intents.record(intentUnder(key, invocationId))).rejects.toBeInstanceOf(StorageUnavailable)
    })

    it('keeps apart the answers of calls that end together', async () => {
      const { storage } = subject()
      const expiresAt = (await storage.now()) + 60_000
      const calls = Array.from({ length: 5 }, () => ({ key: freshKey(), invocationId: freshInvocation() }))
      for (const { key, invocationId } of calls) await storage.idempotency.start(key, 'd1', invocationId, expiresAt)
      const settled = calls.map(({ key, invocationId }) => ({
        draft: draft({ invocation_id: invocationId }),
        answer: { key, invocationId, status: 200, body: `"${invocationId}"` },
      }))
      await storage.audit.append(() => settled, sealEntry)
      for (const { key, invocationId } of calls)
        expect(await storage.idempotency.start(key, 'd1', freshInvocation(), expiresAt)).toEqual({
          state: 'answered', status: 200, body: `"${invocationId}"`,
        }) // prettier-ignore
    })

    it('takes the answer of the invocation that claimed it, and of no other', async () => {
      const { storage } = subject()
      const key = freshKey()
      const expiresAt = (await storage.now()) + 60_000
      await storage.idempotency.start(key, 'd1', freshInvocation(), expiresAt)
      const other = freshInvocation()
      await startRecorder({ storage }).record({
        draft: draft({ invocation_id: other }),
        answer: { key, invocationId: other, status: 200, body: '{}' },
      })
      expect(await storage.idempotency.start(key, 'd1', freshInvocation(), expiresAt)).toEqual({ state: 'in_progress' })
    })

    it('refuses the same key with another digest, and keeps keys of others apart', async () => {
      const { storage } = subject()
      const key = freshKey()
      const expiresAt = (await storage.now()) + 60_000
      await storage.idempotency.start(key, 'd1', freshInvocation(), expiresAt)
      expect(await storage.idempotency.start(key, 'd2', freshInvocation(), expiresAt)).toEqual({ state: 'conflict' })
      for (const other of [
        { ...key, subject: 'agent:b' },
        { ...key, capability: 'refund' },
      ] as const) {
        expect(await storage.idempotency.start(other, 'd2', freshInvocation(), expiresAt)).toEqual({ state: 'started' })
      }
    })

    it('starts anew when the claim lapsed or was abandoned by its own invocation', async () => {
      const { storage, pass } = subject()
      const [key, first, second] = [freshKey(), freshInvocation(), freshInvocation()]
      await storage.idempotency.start(key, 'd1', first, (await storage.now()) + 40)
      await pass(60)
      const expiresAt = (await storage.now()) + 60_000
      expect(await storage.idempotency.start(key, 'd2', second, expiresAt)).toEqual({ state: 'started' })
      await storage.idempotency.abandon(key, first)
      expect(await storage.idempotency.start(key, 'd2', first, expiresAt)).toEqual({ state: 'in_progress' })
      await storage.idempotency.abandon(key, second)
      expect(await storage.idempotency.start(key, 'd3', first, expiresAt)).toEqual({ state: 'started' })
    })

    it('keeps a claim that has an intent until the time that is vouched for, whatever the clock says', async () => {
      const { storage, replica, pass } = subject()
      const [key, first, second] = [freshKey(), freshInvocation(), freshInvocation()]
      const over = (await storage.now()) + 40
      await storage.idempotency.start(key, 'd1', first, over)
      await storage.intents.record({
        invocation_id: first,
        owner: 'p',
        draft: draft(),
        started_at: 1,
        idempotency: key,
      })
      await pass(60)
      expect(await replica.idempotency.start(key, 'd1', second, over + 60_000, over - 1)).toEqual({
        state: 'in_progress',
      })
      expect(await replica.idempotency.start(key, 'd1', second, over + 60_000, over)).toEqual({ state: 'started' })
    })

    it('lets a claim without an intent lapse after 5 s, and fences off whoever made it', async () => {
      const { storage, replica, pass } = subject()
      const [key, first, second] = [freshKey(), freshInvocation(), freshInvocation()]
      const expiresAt = (await storage.now()) + 60_000
      await storage.idempotency.start(key, 'd1', first, expiresAt)
      await pass(5_010)
      expect(await replica.idempotency.start(key, 'd1', second, expiresAt)).toEqual({ state: 'started' })
      expect(await storage.idempotency.start(key, 'd1', freshInvocation(), expiresAt)).toEqual({ state: 'in_progress' })
      await expect(storage.intents.record(intentUnder(key, first))).rejects.toBeInstanceOf(StorageUnavailable)
      await replica.intents.record(intentUnder(key, second))
    }, 20_000)

    it('keeps a claim while there is an intent behind it', async () => {
      const { storage, replica, pass } = subject()
      const [key, first] = [freshKey(), freshInvocation()]
      const expiresAt = (await storage.now()) + 60_000
      await storage.idempotency.start(key, 'd1', first, expiresAt)
      await storage.intents.record(intentUnder(key, first))
      await pass(5_010)
      expect(await replica.idempotency.start(key, 'd1', freshInvocation(), expiresAt)).toEqual({ state: 'in_progress' })
    }, 20_000)

    it('keeps a claim from lapsing from when its intent is durable, also after that is closed', async () => {
      const { storage, pass } = subject()
      const [key, first] = [freshKey(), freshInvocation()]
      const expiresAt = (await storage.now()) + 60_000
      await storage.idempotency.start(key, 'd1', first, expiresAt)
      await pass(4_000)
      await storage.intents.record(intentUnder(key, first))
      await startRecorder({ storage }).record({ draft: draft({ invocation_id: first }), closesIntent: first })
      await pass(2_000)
      expect(await storage.idempotency.start(key, 'd1', freshInvocation(), expiresAt)).toEqual({ state: 'in_progress' })
    }, 20_000)

    it('forgets the answer of the first when it starts anew', async () => {
      const { storage, pass } = subject()
      const [key, first] = [freshKey(), freshInvocation()]
      await storage.idempotency.start(key, 'd1', first, (await storage.now()) + 40)
      const answer = { key, invocationId: first, status: 200, body: 'first' }
      await startRecorder({ storage }).record({ draft: draft({ invocation_id: first }), answer })
      await pass(60)
      const expiresAt = (await storage.now()) + 60_000
      expect(await storage.idempotency.start(key, 'd1', freshInvocation(), expiresAt)).toEqual({ state: 'started' })
      expect(await storage.idempotency.start(key, 'd1', freshInvocation(), expiresAt)).toEqual({ state: 'in_progress' })
    })

    it('is freed with its answer by who is known to have done nothing, and by nobody else', async () => {
      const { storage } = subject()
      const [key, first] = [freshKey(), freshInvocation()]
      const expiresAt = (await storage.now()) + 60_000
      const again = () => storage.idempotency.start(key, 'd1', freshInvocation(), expiresAt)
      await storage.idempotency.start(key, 'd1', first, expiresAt)
      const answer = { key, invocationId: first, status: 500, body: 'unknown' }
      await startRecorder({ storage }).record({ draft: draft({ invocation_id: first }), answer })
      await storage.idempotency.retract(key, freshInvocation())
      await storage.idempotency.retract({ ...key, subject: 'agent:b' }, first)
      expect(await again()).toMatchObject({ state: 'answered', body: 'unknown' })
      await storage.idempotency.retract(key, first)
      expect(await again()).toEqual({ state: 'started' })
    })

    it('is given back together with the entry of its invocation, and only by that one', async () => {
      const { storage } = subject()
      const recorder = startRecorder({ storage })
      const [key, first] = [freshKey(), freshInvocation()]
      const expiresAt = (await storage.now()) + 60_000
      const again = async () => (await storage.idempotency.start(key, 'd2', freshInvocation(), expiresAt)).state
      await storage.idempotency.start(key, 'd1', first, expiresAt)
      const other = freshInvocation()
      await recorder.record({ draft: draft({ invocation_id: other }), givesBack: { key, invocationId: other } })
      expect(await again()).toBe('conflict')
      await recorder.record({ draft: draft({ invocation_id: first }), givesBack: { key, invocationId: first } })
      expect(await again()).toBe('started')
    })

    it('keeps an answer that is abandoned or answered again', async () => {
      const { storage } = subject()
      const recorder = startRecorder({ storage })
      const [key, invocationId] = [freshKey(), freshInvocation()]
      const expiresAt = (await storage.now()) + 60_000
      await storage.idempotency.start(key, 'd1', invocationId, expiresAt)
      for (const body of ['first', 'second']) {
        await recorder.record({ draft: draft(), answer: { key, invocationId, status: 200, body } })
      }
      await storage.idempotency.abandon(key, invocationId)
      expect(await storage.idempotency.start(key, 'd1', freshInvocation(), expiresAt)).toMatchObject({ body: 'first' })
    })
  })
}
