import { THE_RUN_AND_YAML } from './lists/the-run-and-yaml.js'
import { MANIFEST } from './lists/manifest.js'
import { CAPABILITY } from './lists/capability.js'
import { INPUTS } from './lists/inputs.js'
import { COST_AND_CONTROLS } from './lists/cost-and-controls.js'
import { REFERENCES } from './lists/references.js'
import { COMPOSITION } from './lists/composition.js'
import { SECRETS_AND_TEXT } from './lists/secrets-and-text.js'
import { JUDGEMENT } from './lists/judgement.js'
import { APPROVALS } from './lists/approvals.js'
import { setOf } from './rule-set.js'

/** In the order of the interface document. */
export const RULE_SET = setOf(
  THE_RUN_AND_YAML.concat(
    MANIFEST,
    CAPABILITY,
    INPUTS,
    COST_AND_CONTROLS,
    REFERENCES,
    COMPOSITION,
    SECRETS_AND_TEXT,
    JUDGEMENT,
    APPROVALS,
  ),
)
