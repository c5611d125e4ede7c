import type { FindAccountsHandler } from '../../generated/handlers.js'
import type { FindAccountsOutput } from '../../generated/types.js'
import { REGIONS } from '../regions.js'

/** Find the accounts of a region. The runtime has resolved the caller's words. */
export const findAccounts: FindAccountsHandler = ({ region }): FindAccountsOutput => ({
  region,
  accounts: REGIONS.get(region)?.accounts ?? [],
})
