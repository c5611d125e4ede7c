import { anyChange, type Comparison } from './difference.js'

/** Words that turn a sentence around, or say what is done. */
const WEIGHTY = new Set(
  [
    'no not never none nothing without cannot only except unless until before after always',
    'create add update change write send transfer pay charge refund book order buy sell',
    'cancel delete remove erase revoke deny approve publish grant reset close open stop start',
  ]
    .join(' ')
    .split(' '),
)

/**
 * The description, by which an agent chooses: a negation or a word of action that came or went is more than a patch.
 */
export const description: Comparison = (before, after) => {
  const [was, is] = [weightyIn(before['description']), weightyIn(after['description'])]
  const isSameMeaning = was.size === is.size && [...was].every((word) => is.has(word))
  return anyChange('description', isSameMeaning ? 'SVC9004' : 'SVC9005')(before, after)
}

const weightyIn = (text: unknown): ReadonlySet<string> =>
  new Set(
    String(text ?? '')
      .toLowerCase()
      .replaceAll("n't", ' not')
      .split(/[^a-z]+/u)
      .filter((word) => WEIGHTY.has(word)),
  )
