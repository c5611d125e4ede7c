import { cases, casesFor } from './case.js'
import { doesNotApply } from './outcomes.js'
import { equal, fails, holds, matches, succeeds } from './expect.js'
import { plainRead } from './samples.js'
import { readTold, type Reply } from './target.js'

const METHODS = [
  ['/svc/tokens', 'GET'], ['/svc/permissions', 'GET'], ['/svc/tokens/revoke', 'GET'], ['/svc/invoke/anything', 'GET'], ['/.well-known/svc', 'DELETE'],
  ['/svc/manifest', 'PUT'], ['/svc/permissions', 'OPTIONS'], ['/-/live', 'POST'],
] as const // prettier-ignore

/** A refusal of a body for its size, where the service does not take that much. */
function tooLarge(reply: Reply): void {
  if ((reply.body?.['failure']?.['type'] as unknown) === 'invalid_parameters')
    doesNotApply('the service takes bodies of 2 MB')
  fails(reply, 'payload_too_large')
}

export const errorCases = [
  ...casesFor('7', METHODS, ([path, method]) => `${method} ${path} is not allowed, and Allow says what is`, async ([path, method], { send }) => {
    const reply = await send(path, { method })
    fails(reply, 'method_not_allowed')
    matches(reply.headers.get('allow'), /^(?:GET, HEAD|POST)$/u, 'Allow')
  }),
  ...cases('7', {
    'an unknown path is not found': async ({ send }) => fails(await send('/nowhere'), 'not_found'),
    'a body that is too large is refused': async (target) =>
      tooLarge(await target.send('/svc/permissions', { method: 'POST', bearer: (await target.root()).token, text: `"${'x'.repeat(2_000_000)}"` })),
    'headers that are too large are refused with a typed failure': async ({ send }) => {
      const { status, body } = await send('/-/live', { headers: { 'x-large': 'x'.repeat(100_000) } })
      if (status === 200) doesNotApply('the service takes headers of 100 kB')
      equal([status, body['failure']?.['type']], [431, 'invalid_parameters'], 'the answer')
    },
    'a body of another type is refused': async (target) => {
      const [name] = plainRead(target)
      const reply = await target.send(`/svc/invoke/${name}`, { method: 'POST', bearer: (await target.root()).token, text: '{}', headers: { 'content-type': 'text/plain' } })
      fails(reply, 'unsupported_media_type')
    },
    'a newer protocol version is refused': async (target) => {
      const [name] = plainRead(target)
      fails(await target.invoke(name, (await target.root()).token, undefined, { 'x-svc-version': '0.99.0' }), 'unsupported_version')
    },
    'an unauthenticated answer challenges': async ({ post }) => matches((await post('/svc/permissions', undefined, {})).headers.get('www-authenticate'), /^Bearer/u, 'WWW-Authenticate'),
    'no answer allows another origin': async ({ send }) => equal((await send('/.well-known/svc', { headers: { origin: 'https://evil.example' } })).headers.get('access-control-allow-origin'), null, 'Access-Control-Allow-Origin'),
    'failures name no file, stack or version': async (target) => {
      const { text } = await target.invoke('no_such_thing', (await target.root()).token)
      holds(!/node_modules|\.ts:|\.js:|at \w+ \(/u.test(text), 'the answer shows internals')
    },
    'no answer names its software': async ({ send }) => equal((await send('/.well-known/svc')).headers.get('x-powered-by'), null, 'X-Powered-By'),
  }),
  ...cases('8', {
    'the process is live': async ({ send }) => succeeds(await send('/-/live')),
    'the service is ready': async ({ send }) => succeeds(await send('/-/ready')),
    'health shows no internals': async ({ send }) => holds(!/\/|\d+\.\d+\.\d+|sqlite|postgres/iu.test((await send('/-/ready')).text), 'health shows internals'),
    'the graph of a capability is served': async (target) => {
      const [name] = plainRead(target)
      const { body } = await readTold(target, `/svc/graph/${name}`)
      equal(Object.keys(body), ['capability', 'requires', 'refresh_via', 'verify_via', 'composed_of', 'used_by'], 'members')
    },
    'the graph of a composition names each capability once': async (target) => {
      const [name] = Object.entries(target.manifest['capabilities']!).find(([, each]) => (each as { readonly composition?: unknown }).composition !== undefined) ?? doesNotApply('no capability is composed')
      const names = (await readTold(target, `/svc/graph/${name}`)).body['composed_of'] as unknown as readonly string[]
      equal(names, [...new Set(names)], 'composed_of')
      holds(names.length > 0, 'composed_of is empty')
    },
    'the graph of no capability is unknown': async (target) => fails(await readTold(target, '/svc/graph/no_such_thing'), 'unknown_capability'),
  }),
] // prettier-ignore
