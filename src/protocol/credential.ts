/** Proven identity behind a name (section 5.6): names can change and be shared; an account or a key cannot. */

/** An account at an identity provider: a subject is unique within its issuer only. */
export interface Account {
  readonly issuer: string
  readonly subject: string
}

/** Proof of a principal: an API key, by its id, or an account. */
export type ProvenBy = { readonly api_key: string } | Account

export const isAccount = (credential: ProvenBy | undefined): credential is Account =>
  credential !== undefined && 'issuer' in credential

export const isSameAccount = (one: Account, other: Account): boolean =>
  one.issuer === other.issuer && one.subject === other.subject

export const isSameCredential = (one: ProvenBy, other: ProvenBy): boolean =>
  isAccount(one) ? isAccount(other) && isSameAccount(one, other) : !isAccount(other) && one.api_key === other.api_key
