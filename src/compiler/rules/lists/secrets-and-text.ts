import type { Rule } from '../rule.js'
import { referencesHaveNoCredentials } from '../references-have-no-credentials.js'
import { referencesHaveNoSecretParameters } from '../references-have-no-secret-parameters.js'
import { textHoldsNoKnownSecret } from '../text-holds-no-known-secret.js'
import { referencesAreNotRandom } from '../references-are-not-random.js'
import { secretInputsHaveNoDefault } from '../secret-inputs-have-no-default.js'
import { secretsAreNotLogged } from '../secrets-are-not-logged.js'
import { outputsHoldNoSecrets } from '../outputs-hold-no-secrets.js'
import { referencesAreNotInterpolated } from '../references-are-not-interpolated.js'
import { referencesAreNotUrls } from '../references-are-not-urls.js'
import { referencesAreNotConnectionStrings } from '../references-are-not-connection-strings.js'
import { textNamesNoInternalHost } from '../text-names-no-internal-host.js'
import { textHoldsNoPersonalData } from '../text-holds-no-personal-data.js'
import { textHasNoBidiControls } from '../text-has-no-bidi-controls.js'
import { textHasNoInvisibleCharacters } from '../text-has-no-invisible-characters.js'
import { namesAreAscii } from '../names-are-ascii.js'
import { textDoesNotCommandAgents } from '../text-does-not-command-agents.js'
import { textHasNoMarkup } from '../text-has-no-markup.js'
import { textIsShort } from '../text-is-short.js'

/** In the order of the interface document. */
export const SECRETS_AND_TEXT: readonly Rule[] = [
  // Secrets
  referencesHaveNoCredentials,
  referencesHaveNoSecretParameters,
  textHoldsNoKnownSecret,
  referencesAreNotRandom,
  secretInputsHaveNoDefault,
  secretsAreNotLogged,
  outputsHoldNoSecrets,
  referencesAreNotInterpolated,
  referencesAreNotUrls,
  referencesAreNotConnectionStrings,
  textNamesNoInternalHost,
  textHoldsNoPersonalData,
  // Text
  textHasNoBidiControls,
  textHasNoInvisibleCharacters,
  namesAreAscii,
  textDoesNotCommandAgents,
  textHasNoMarkup,
  textIsShort,
]
