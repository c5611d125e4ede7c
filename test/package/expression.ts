export type Value = string | boolean
export type Scope = { readonly [context: string]: { readonly [name: string]: string } }

/** The value of an expression of GitHub: names, texts, `==`, `!=`, `&&`, `||`, brackets, `always()` and `format()`. */
export function expressionValue(text: string, scope: Scope): Value {
  const tokens = text.match(/'(?:[^']|'')*'|[\w.-]+|==|!=|&&|\|\||[(),]|\S/gu) ?? []
  const [value, rest] = choice(tokens, scope)
  if (rest.length > 0) throw new Error(`Cannot read ${JSON.stringify(rest.join(' '))} of ${JSON.stringify(text)}.`)
  return value
}

type Tokens = readonly string[]
type Read = readonly [Value, Tokens]

/** As in JavaScript, `&&` and `||` give one of their operands. */
function choice(tokens: Tokens, scope: Scope): Read {
  let [value, rest] = both(tokens, scope)
  while (rest[0] === '||') {
    const [other, after] = both(rest.slice(1), scope)
    ;[value, rest] = [value === '' || value === false ? other : value, after]
  }
  return [value, rest]
}

function both(tokens: Tokens, scope: Scope): Read {
  let [value, rest] = comparison(tokens, scope)
  while (rest[0] === '&&') {
    const [other, after] = comparison(rest.slice(1), scope)
    ;[value, rest] = [value === '' || value === false ? value : other, after]
  }
  return [value, rest]
}

function comparison(tokens: Tokens, scope: Scope): Read {
  const [left, rest] = operand(tokens, scope)
  if (rest[0] !== '==' && rest[0] !== '!=') return [left, rest]
  const [right, after] = operand(rest.slice(1), scope)
  return [(left === right) === (rest[0] === '=='), after]
}

function operand([token = '', ...rest]: Tokens, scope: Scope): Read {
  if (token.startsWith("'")) return [token.slice(1, -1).replaceAll("''", "'"), rest]
  if (token === '(') {
    const [value, after] = choice(rest, scope)
    return [value, expecting(')', after)]
  }
  if (rest[0] === '(') return called(token, rest.slice(1), scope)
  const [context = '', name = ''] = token.split('.')
  const value = scope[context]?.[name]
  if (value === undefined) throw new Error(`Nothing is known of ${JSON.stringify(token)}.`)
  return [value, rest]
}

function called(name: string, tokens: Tokens, scope: Scope): Read {
  const values: Value[] = []
  let rest = tokens
  while (rest[0] !== ')') {
    const [value, after] = choice(rest, scope)
    values.push(value)
    rest = after[0] === ',' ? after.slice(1) : after
  }
  const end = expecting(')', rest)
  if (name === 'always') return [true, end]
  if (name === 'format')
    return [String(values[0]).replaceAll(/\{(\d+)\}/gu, (_, index: string) => String(values[Number(index) + 1])), end]
  throw new Error(`There is no function ${JSON.stringify(name)} here.`)
}

function expecting(token: string, [first, ...rest]: Tokens): Tokens {
  if (first !== token) throw new Error(`Expected ${token}, found ${String(first)}.`)
  return rest
}
