import type { Rule } from '../rule.js'
import { TEXT_CODES } from './codes.js'
import { secretKnownFormat } from './secret-known-format.js'
import { secretHighEntropy } from './secret-high-entropy.js'
import { secretDefault } from './secret-default.js'
import { secretLogged } from './secret-logged.js'
import { secretOutput } from './secret-output.js'
import { internalHost } from './internal-host.js'
import { personalData } from './personal-data.js'
import { promptInjection } from './prompt-injection.js'
import { markupInText } from './markup-in-text.js'
import { textTooLong } from './text-too-long.js'

/** The rules of this section; first those that another stage reports. */
export const TEXT_RULES: readonly Rule[] = [
  ...TEXT_CODES,
  // Secrets
  secretKnownFormat,
  secretHighEntropy,
  secretDefault,
  secretLogged,
  secretOutput,
  internalHost,
  personalData,
  // Text
  promptInjection,
  markupInText,
  textTooLong,
]
