import { describe, expect, it } from 'vitest'
import { clarificationForm } from '../../../src/runtime/surfaces/mcp/clarification.js'

const missing = (...names: readonly string[]) => names.map((name) => ({ name, reason: 'missing' as const }))

describe('the form of what a call lacks', () => {
  it('asks for each input, as a choice where there are few values', () => {
    const form = clarificationForm([
      { name: 'place', reason: 'missing', description: 'Where to.' },
      { name: 'class', reason: 'missing', allowed_values: ['first', 'second'] },
      { name: 'hotel', reason: 'ambiguous', candidates: ['Ritz', 'Rex'] },
    ])
    expect(form).toEqual({
      message: 'The call needs place, class, hotel.',
      requestedSchema: {
        type: 'object',
        properties: {
          place: { type: 'string', description: 'Where to.' },
          class: { type: 'string', enum: ['first', 'second'] },
          hotel: { type: 'string', enum: ['Ritz', 'Rex'] },
        },
        required: ['place', 'class', 'hotel'],
      },
    })
  })

  it.each([
    'password', 'new_passwort', 'client_secret', 'access_token', 'credentials', 'api_key', 'apikey', 'cvv', 'card_number', 'iban', 'ssn', 'pin',
    'userPassword', 'clientSecret', 'accessToken', 'loginCredentials', 'apiKey', 'backCvv', 'backCvc', 'creditCard', 'payeeIban', 'patientSsn', 'userPin',
    'PASSWORD', 'CLIENT_SECRET', 'ACCESS_TOKEN', 'CREDENTIALS', 'API_KEY', 'CVV', 'CVC', 'CARD', 'IBAN', 'SSN', 'PIN',
  ])('is none where one of the inputs is a secret, whatever else is asked for: %s', (name) => {
    const secret = missing(name)
    expect(clarificationForm(secret)).toBeUndefined()
    expect(clarificationForm(missing('iban'), ['iban'])).toBeUndefined()
    expect(clarificationForm([...missing('place'), ...secret])).toBeUndefined()
    expect(clarificationForm([...secret, ...missing('place', 'hotel')])).toBeUndefined()
  }) // prettier-ignore

  it('is none where nothing is asked for', () => {
    expect(clarificationForm([])).toBeUndefined()
  })

  it.each([
    [100, true],
    [101, false],
  ])('lists %i values: %s', (count, isListed) => {
    const allowed_values = Array.from({ length: count }, (_, index) => `v${index}`)
    const form = clarificationForm([{ name: 'a', reason: 'missing', allowed_values }])
    expect('enum' in form!.requestedSchema.properties['a']!).toBe(isListed)
  })
})
