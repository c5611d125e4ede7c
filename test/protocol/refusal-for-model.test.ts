import { expect, it } from 'vitest'
import { FAILURES, failure, type FailureType } from '../../src/protocol/failures.js'
import { refusalForModel } from '../../src/protocol/refusal-for-model.js'

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

it('says what to do, then why, then what else helps, and no digest or policy', () => {
  const asked = failure('approval_required', 'Wait.', {
    approval_request_id: 'apr_1',
    requested_parameters_digest: 'sha256:00',
    grant_policy: {} as never,
    requires: 'approver:book',
  })
  expect(JSON.stringify(refusalForModel({ failure: asked, invocation_id: 'inv-1' }))).toBe(
    '{"failure":{"resolution":{"action":"request_approval","recovery_class":"wait_then_retry","requires":"approver:book"},' +
      '"detail":"Wait.","type":"approval_required","retry":false,"approval_request_id":"apr_1"},"invocation_id":"inv-1"}',
  )
})

it.each(Object.keys(FAILURES) as FailureType[])('%s has 600 bytes at most, whatever it holds', (type) => {
  const long = 'é"\\n😀'.repeat(2000)
  const everything = failure(type, long, {
    requires: long, approval_request_id: long, approval_url: 'https://a.example/1', data: { long }, clarification: { inputs: [{ name: 'a', reason: 'missing' }] },
  }) // prettier-ignore
  const shown = refusalForModel({ failure: everything, invocation_id: 'inv-000000000001' })
  expect(bytesOf(shown)).toBeLessThanOrEqual(600)
  expect(shown['failure']).toMatchObject({
    type,
    retry: FAILURES[type].retry,
    resolution: { action: FAILURES[type].action },
  })
  expect(JSON.stringify(shown)).not.toMatch(/\\ud[89a-f]/u)
})

it('leaves out what does not fit, and shows what comes after it', () => {
  const { failure: shown } = refusalForModel({
    failure: failure('invalid_parameters', 'No.', { approval_request_id: 'x'.repeat(600), data: { left: 1 } }),
  })
  expect(shown).toEqual({
    resolution: { action: 'check_manifest', recovery_class: 'revalidate_then_retry' },
    detail: 'No.', type: 'invalid_parameters', retry: false, data: { left: 1 },
  }) // prettier-ignore
})
