/** CPU time of each part that a call cannot do without, measured alone in this process, in µs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonicalText } from '../../dist/crypto/json/canonical.js'
import { sha256Hex } from '../../dist/crypto/json/digest.js'
import { verifyDelegation } from '../../dist/crypto/jws/jwt.js'
import { verificationKeys } from '../../dist/crypto/keys/key-ring.js'
import { leafHash } from '../../dist/crypto/merkle/merkle.js'
import { parseStrictJson } from '../../dist/crypto/json/strict-json.js'
import { issueRootToken } from '../../dist/runtime/index.js'
import { tokenOf } from '../../dist/runtime/auth/token.js'
import { begin } from '../../dist/runtime/call/invocation.js'
import { invoke } from '../../dist/runtime/call/invoke.js'
import { openService } from './open-service.js'

const cpu = () => {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** The best of nine rounds: µs of one run of `work`, of which `times` are done at once where it is asynchronous. */
async function measure(times, work) {
  const rounds = []
  for (let round = 0; round < 9; round++) {
    const start = cpu()
    await work(times)
    rounds.push((cpu() - start) / times)
  }
  return Number(Math.min(...rounds).toFixed(1))
}

const again = (work) => (times) => {
  for (let index = 0; index < times; index++) work()
}
const inTurn = (work) => async (times) => {
  for (let index = 0; index < times; index++) await work()
}
const together = (work) => async (times) => {
  for (let index = 0; index < times / 64; index++) await Promise.all(Array.from({ length: 64 }, work))
}

export async function stages() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const { service, storage } = await openService(folder)
  const { token, token_id } = await issueRootToken(service, { principal: 'human:bench' }, 'search', {
    scope: ['travel.search'],
  })
  const expected = {
    keys: verificationKeys(service.keys.ring(), 'tokens', Date.now()),
    issuer: 'bench',
    audience: 'bench',
    now: Math.floor(Date.now() / 1000),
    toleranceSeconds: 5,
  }
  const body = Buffer.from('{"parameters":{"city":"Oslo"},"client_reference_id":"ref-1"}')
  const verified = await tokenOf(service, token)
  const call = () =>
    invoke(
      service,
      begin({
        id: service.ids.invocation(),
        name: 'search',
        token: verified,
        request: { parameters: { city: 'Oslo' } },
      }),
    )
  await call()
  const [entry] = await storage.audit.query({ limit: 1 })
  const parts = {
    'strict JSON of the body': await measure(
      5000,
      again(() => parseStrictJson(body)),
    ),
    'SHA-256 of the token': await measure(
      5000,
      again(() => sha256Hex(token)),
    ),
    'ES256 verification (cold token)': await measure(
      500,
      again(() => verifyDelegation(token, expected)),
    ),
    'read of the token chain, alone': await measure(
      2000,
      inTurn(() => storage.tokens.chain(token_id)),
    ),
    'read of the token chain, 64 together': await measure(
      6400,
      together(() => storage.tokens.chain(token_id)),
    ),
    'token in all, warm, 64 together': await measure(
      6400,
      together(() => tokenOf(service, token)),
    ),
    'canonical JSON and leaf hash of the entry': await measure(
      2000,
      again(() => leafHash(canonicalText(entry))),
    ),
    'call without HTTP, alone': await measure(300, inTurn(call)),
    'call without HTTP, 64 together': await measure(6400, together(call)),
  }
  await service.close()
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
  return parts
}
