import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startRecorder } from '../../../../src/runtime/audit/recorder.js'
import { sealEntry, sealFor } from '../../../../src/runtime/storage/seal.js'
import { erasureDraft } from '../../../../src/crypto/trail/erasure.js'
import type { AuditEntry } from '../../../../src/protocol/audit.js'
import type { ErasureAccount, EntryFilter, SealedEntry, Storage } from '../../../../src/runtime/storage/contract.js'
import type { Subject } from '../contract.js'
import { draft, fresh, freshInvocation } from '../examples.js'

const hash = (...parts: readonly Uint8Array[]): Buffer => {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest()
}

/** RFC 9162, section 2.1.1, read literally: the definition that the incremental tree must equal. */
function rootOf(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 1) return Buffer.from(leaves[0]!)
  const split = 2 ** Math.ceil(Math.log2(leaves.length) - 1)
  return hash(Buffer.of(1), rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

const leavesOf = async (storage: Storage): Promise<readonly Uint8Array[]> => {
  const size = await storage.audit.size()
  return storage.audit.nodes(Array.from({ length: size }, (_, index) => ({ level: 0, index })))
}

export const auditContract = (subject: Subject): void => {
  describe('audit', () => {
    const recordAll = (storage: Storage, count: number): Promise<readonly (SealedEntry | undefined)[]> => {
      const recorder = startRecorder({ storage })
      return Promise.all(Array.from({ length: count }, () => recorder.record({ draft: draft() })))
    }

    const query = async (filter: Partial<EntryFilter>): Promise<readonly number[]> =>
      (await subject().storage.audit.query({ limit: 1000, ...filter })).map(({ sequence }) => sequence)

    it('numbers entries of two writers from the last on, without gaps or repeats', async () => {
      const { storage, replica } = subject()
      const before = await storage.audit.size()
      const sealed = (await Promise.all([recordAll(storage, 40), recordAll(replica, 40)])).flat()
      const sequences = sealed.map((each) => each?.entry.sequence ?? 0).sort((a, b) => a - b)
      expect(sequences).toEqual(Array.from({ length: 80 }, (_, n) => before + 1 + n))
      expect(await replica.audit.size()).toBe(before + 80)
    })

    it('keeps the very text that is hashed', async () => {
      const { storage, replica } = subject()
      const parameters = { a: `'"\\ \u2028 e\u0301 😀 \n\u0000`, n: 1e21, tiny: 1e-7, list: [null, 0, -0] }
      const sealed = await startRecorder({ storage }).record({ draft: draft({ parameters }) })
      const [stored] = await replica.audit.texts(sealed!.entry.sequence, 1)
      expect(stored).toEqual({ sequence: sealed!.entry.sequence, text: sealed!.text })
      const [leaf] = await replica.audit.nodes([{ level: 0, index: sealed!.entry.sequence - 1 }])
      expect(Buffer.from(leaf!)).toEqual(hash(Buffer.of(0), Buffer.from(sealed!.text)))
    })

    it('keeps every perfect subtree of the tree of RFC 9162', async () => {
      const { storage } = subject()
      await recordAll(storage, 13)
      await recordAll(storage, 1)
      const leaves = await leavesOf(storage)
      for (let level = 1; 2 ** level <= leaves.length; level++) {
        const width = 2 ** level
        const ids = Array.from({ length: Math.floor(leaves.length / width) }, (_, index) => ({ level, index }))
        const nodes = await storage.audit.nodes(ids)
        const wanted = ids.map(({ index }) => rootOf(leaves.slice(index * width, (index + 1) * width)))
        expect(nodes.map((node) => Buffer.from(node))).toEqual(wanted)
      }
    })

    it('gives nodes however many are asked for at once', async () => {
      const { storage } = subject()
      await recordAll(storage, 1026)
      const leaves = await leavesOf(storage)
      for (const index of [0, 1023, 1024, 1025])
        expect(await storage.audit.nodes([{ level: 0, index }])).toEqual([leaves[index]])
      const beyond = Array.from({ length: 70_000 }, (_, index) => ({ level: 0, index }))
      await expect(storage.audit.nodes(beyond)).rejects.toThrow('is not stored')
    })

    it('gives nodes in the order asked, and refuses one that is not there', async () => {
      const { storage } = subject()
      await recordAll(storage, 4)
      const [a, b] = await storage.audit.nodes([
        { level: 0, index: 1 },
        { level: 0, index: 0 },
      ])
      expect(await storage.audit.nodes([{ level: 0, index: 0 }])).toEqual([b])
      expect(a).not.toEqual(b)
      expect(await storage.audit.nodes([])).toEqual([])
      await expect(storage.audit.nodes([{ level: 0, index: 1e9 }])).rejects.toThrow('is not stored')
    })

    it('skips an invocation whose intent was closed, together with its settlement', async () => {
      const { storage } = subject()
      const recorder = startRecorder({ storage })
      const invocation_id = freshInvocation()
      const [first, second] = await Promise.all([
        recorder.record({ draft: draft({ invocation_id }), closesIntent: invocation_id }),
        recorder.record({ draft: draft({ invocation_id, success: false }), closesIntent: invocation_id }),
      ])
      const size = await storage.audit.size()
      expect(await recorder.record({ draft: draft({ invocation_id }), closesIntent: invocation_id })).toBeUndefined()
      expect(second).toBeUndefined()
      expect(await storage.audit.size()).toBe(size)
      expect(await storage.audit.sequenceOf(invocation_id)).toBe(first?.entry.sequence)
      expect(await storage.audit.sequenceOf('inv-unknown')).toBeUndefined()
    })

    it('takes the batch once, when it is its turn', async () => {
      const { storage } = subject()
      const arriving = [{ draft: draft() }]
      const appended = storage.audit.append(() => arriving, sealEntry)
      expect(await appended).toHaveLength(1)
      expect(await storage.audit.append(() => [], sealEntry)).toEqual([])
    })

    it('stores nothing of a batch that cannot be sealed', async () => {
      const { storage } = subject()
      const size = await storage.audit.size()
      const failing = storage.audit.append(
        () => [{ draft: draft() }, { draft: draft() }],
        (each, sequence) => {
          if (sequence > size + 1) throw new TypeError('Not to be sealed.')
          return sealEntry(each, sequence)
        },
      )
      await expect(failing).rejects.toThrow('Not to be sealed.')
      expect(await storage.audit.size()).toBe(size)
    })

    it('answers queries newest first, by every filter and all of them together', async () => {
      const { storage } = subject()
      const recorder = startRecorder({ storage })
      const root = `human:${fresh('r')}`
      const [one, two, three] = [freshInvocation(), freshInvocation(), freshInvocation()]
      const base = { root_principal: root, timestamp: '2026-01-01T00:00:00.001Z' }
      const part = { client_reference_id: 'ref', task_id: 'task', parent_invocation_id: one }
      const a = await recorder.record({ draft: draft({ ...base, invocation_id: one }) })
      const b = await recorder.record({
        draft: draft({ ...base, ...part, invocation_id: two, timestamp: '2026-01-01T00:00:00.002Z' }),
      })
      const c = await recorder.record({
        draft: draft({
          ...base,
          invocation_id: three,
          capability: 'book',
          event_class: 'high_risk_failure',
          success: false,
          approval_request_id: 'apr_1',
          timestamp: '2026-01-01T00:00:00.003Z',
        }),
      })
      const [first, second, third] = [a, b, c].map((each) => each!.entry.sequence)
      const rootPrincipal = root
      expect(await storage.audit.query({ rootPrincipal, limit: 1 })).toEqual([c!.entry])
      expect(await query({ rootPrincipal })).toEqual([third, second, first])
      expect(await query({ rootPrincipal, capability: 'search' })).toEqual([second, first])
      expect(await query({ rootPrincipal, invocation_id: one })).toEqual([first])
      expect(await query({ rootPrincipal: 'human:other', invocation_id: one })).toEqual([])
      expect(await query({ rootPrincipal, client_reference_id: 'ref' })).toEqual([second])
      expect(await query({ rootPrincipal, task_id: 'task' })).toEqual([second])
      expect(await query({ rootPrincipal, parent_invocation_id: one })).toEqual([second])
      expect(await query({ rootPrincipal, approval_request_id: 'apr_1' })).toEqual([third])
      expect(await query({ rootPrincipal, event_class: 'high_risk_failure' })).toEqual([third])
      expect(await query({ rootPrincipal, success: true })).toEqual([second, first])
      expect(await query({ rootPrincipal, since: '2026-01-01T00:00:00.001Z' })).toEqual([third, second])
      expect(await query({ rootPrincipal, until: '2026-01-01T00:00:00.002Z' })).toEqual([second, first])
      expect(await query({ rootPrincipal, beforeSequence: third! })).toEqual([second, first])
      expect(await query({ rootPrincipal, limit: 2 })).toEqual([third, second])
      expect(await query({ rootPrincipal, task_id: 'task', success: true, since: '2026-01-01T00:00:00.001Z' })).toEqual(
        [second],
      )
    })

    it('pages by timestamp, also over an entry that came late', async () => {
      const { storage } = subject()
      const recorder = startRecorder({ storage })
      const root_principal = `human:${fresh('r')}`
      const sequences: number[] = []
      for (const second of ['1', '3', '2', '3']) {
        const timestamp = `2026-01-01T00:00:0${second}.000Z`
        sequences.push((await recorder.record({ draft: draft({ root_principal, timestamp }) }))!.entry.sequence)
      }
      const [one, three, late, again] = sequences
      expect(await query({ rootPrincipal: root_principal, limit: 2 })).toEqual([again, three])
      expect(await query({ rootPrincipal: root_principal, limit: 2, beforeSequence: three! })).toEqual([late, one])
      const reach = (rows: number, filter: object = {}) =>
        storage.audit.reach({ rootPrincipal: root_principal, limit: 1, ...filter }, rows)
      expect([await reach(1), await reach(3), await reach(4), await reach(5)]).toEqual([again, late, one, undefined])
      expect(await reach(1, { beforeSequence: three! })).toBe(late)
      expect(await reach(2, { since: '2026-01-01T00:00:02.000Z' })).toBe(three)
      expect(await query({ rootPrincipal: root_principal, success: true, downToSequence: late! })).toEqual([
        again,
        three,
        late,
      ])
    })

    const due = (storage: Storage, limit: number, at = Date.parse('2020-01-02T00:00:00.000Z')): Promise<number> =>
      storage.audit.erase({ due: at, limit, account: ACCOUNT })

    it('erases what is due, never its hashes, and accounts for it by an entry', async () => {
      const { storage } = subject()
      const recorder = startRecorder({
        storage,
        seal: sealFor(({ task_id }) => (task_id === null ? undefined : DAY_MS)),
      })
      const root_principal = `human:${fresh('r')}`
      const old = { root_principal, task_id: 'forget', timestamp: '2020-01-01T00:00:00.000Z' }
      const invocation_id = freshInvocation()
      const one = await recorder.record({ draft: draft({ ...old, invocation_id }) })
      await recorder.record({ draft: draft({ ...old, task_id: null }) })
      const two = await recorder.record({ draft: draft(old) })
      const kept = await recorder.record({ draft: draft({ root_principal, task_id: 'forget' }) })
      const leaves = await leavesOf(storage)
      expect(await due(storage, 5, Date.parse('2020-01-01T23:59:59.999Z'))).toBe(0)
      expect(await due(storage, 1)).toBe(1)
      expect(await due(storage, 5)).toBe(1)
      expect(await due(storage, 5)).toBe(0)
      expect(await query({ rootPrincipal: root_principal })).toEqual([kept!.entry.sequence, two!.entry.sequence - 1])
      const sequence = (await storage.audit.sequenceOf(invocation_id))!
      expect(await storage.audit.texts(sequence, 1)).toEqual([{ sequence, text: null }])
      expect((await leavesOf(storage)).slice(0, leaves.length)).toEqual(leaves)
      const accounts = await storage.audit.texts(leaves.length + 1, 5)
      expect(accounts.map(({ text }) => (JSON.parse(text!) as AuditEntry).erased)).toEqual(
        [one, two].map((each) => ({ ranges: [[each!.entry.sequence, each!.entry.sequence]], count: 1 })),
      )
      expect(await recorder.record({ draft: draft({ invocation_id }), closesIntent: invocation_id })).toBeUndefined()
    })

    it('M7: erases nothing that the newest entry does not confirm as due', async () => {
      const { storage } = subject()
      const recorder = startRecorder({ storage, seal: sealFor(() => DAY_MS) })
      await recorder.record({ draft: draft({ timestamp: '2020-01-01T00:00:00.000Z' }) })
      await recorder.record({ draft: draft({ timestamp: '2020-01-01T23:00:00.000Z' }) })
      expect(await due(storage, 5, Date.parse('2029-01-01T00:00:00.000Z'))).toBe(0)
      await recorder.record({ draft: draft({ timestamp: '2020-01-02T00:00:00.000Z' }) })
      expect(await due(storage, 5, Date.parse('2029-01-01T00:00:00.000Z'))).toBe(1)
    })
  })
}

const DAY_MS = 24 * 3_600_000

const ACCOUNT: ErasureAccount = {
  draft: (erased) => erasureDraft('service:retention', erased, 'Due.', '2020-01-02T00:00:00.000Z'),
  seal: sealEntry,
}
