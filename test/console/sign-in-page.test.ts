import { describe, expect, it } from 'vitest'
import { failure, ME, openPage, type Answers } from './screen.js'

const { person: _, ...NOBODY } = ME
const as = (more: object): Answers => ({ 'GET /-/console/api/me': { ...NOBODY, ...more } })
const KEY = 'POST /-/console/api/sign-in/key'
const PROVIDER = 'POST /-/console/api/sign-in/provider'

describe('the page to sign in on', () => {
  it('leads to the provider, and back to the page that was asked for', async () => {
    const screen = await openPage('/approvals/apr_1?x=1', {
      ...as({}),
      [PROVIDER]: { location: 'https://login.example/go' },
    })
    expect(screen.lines()).toEqual([
      'travel.example',
      'Sign in to Travel',
      '{role=status data-is=waiting}(waiting)',
      'A request may wait for you. You will be on its page after signing in.',
      '{data-kind=primary}Continue with login.example',
      'You stay signed in for 12 hours on this device. Everything that you decide is written down under your name.',
    ])
    expect([screen.title(), screen.window.document.body.className]).toEqual(['Sign in · Travel', 'gate'])
    await screen.click('Continue with')
    expect([screen.changes(), screen.left]).toEqual([
      [{ request: PROVIDER, csrf: '', body: { page: '/-/console/approvals/apr_1?x=1' } }],
      ['assign https://login.example/go'],
    ])
  })

  it.each([
    ['?page=/-/console/activity', '/-/console/activity'],
    ['?page=https://evil.example/', '/-/console/'],
    ['?page=/-/consoles', '/-/console/'],
    ['', '/-/console/'],
  ])('/sign-in%s comes back to %s', async (search, page) => {
    const screen = await openPage(`/sign-in${search}`, {
      ...as({}),
      [PROVIDER]: failure('service_unavailable', 'It is away.'),
    })
    await screen.click('Continue with')
    expect(screen.changes()[0]?.body).toEqual({ page })
    expect(screen.lines('.notice')).toEqual(['{role=alert data-is=failed}(failed)', 'It is away.'])
  })

  it.each([
    ['expired', 'The sign-in took too long, or began in another browser. Begin it again.'],
    ['unknown', 'The provider did not vouch for somebody whom this service knows. Begin again, with another account.'],
    ['too-often', 'Too many sign-ins failed. Wait a minute, then begin again.'],
  ])('says why somebody is here again: %s', async (because, says) => {
    const screen = await openPage(`/sign-in?because=${because}`, as({}))
    expect(screen.lines('.notice')).toEqual(['{role=status data-is=refused}(refused)', says])
  })

  it('takes a key on this machine, and goes on to the page', async () => {
    const screen = await openPage('/tokens', as({ provider: undefined, takes_keys: true }))
    expect(screen.lines().slice(2, -1)).toEqual([
      'Development key',
      '{type=password aria-invalid=false}',
      '{role=alert}',
      'Works on this machine only.',
      'Sign in with the key',
    ])
    screen.answer({ [KEY]: failure('authentication_required', 'No.') })
    await screen.fill('Development key', ' svc_key ')
    await screen.submit()
    expect(screen.lines('#key-error')).toEqual([
      '{role=alert}No key like this. svc init wrote the keys that work to .env.',
    ])
    expect(screen.lines('input')).toEqual(['{type=password aria-invalid=true : svc_key }'])
    screen.answer({ [KEY]: failure('rate_limited', 'Too often.') })
    await screen.submit()
    expect(screen.lines('#key-error')).toEqual(['{role=alert}Too often.'])
    screen.answer({ [KEY]: {} })
    await screen.submit()
    expect([screen.changes()[2]?.body, screen.left]).toEqual([{ key: 'svc_key' }, ['replace /-/console/tokens']])
  })

  it('has both ways where there are both, and says so where there is none', async () => {
    const both = await openPage('/', as({ takes_keys: true }))
    expect(both.lines().slice(2, 5)).toEqual(['{data-kind=primary}Continue with login.example', 'on this machine only', 'Development key']) // prettier-ignore
    const none = await openPage('/', as({ provider: undefined }))
    expect(none.lines()[2]).toBe('Sign-in is not configured. Set SVC_CONSOLE_CLIENT_ID.') // prettier-ignore
  })

  it('is there for who has signed in, too, and gone from every other page', async () => {
    expect((await openPage('/sign-in?again=1')).lines('h1')).toEqual(['Sign in to Travel'])
    const screen = await openPage('/')
    expect(screen.window.document.body.className).toBe('')
  })
})
