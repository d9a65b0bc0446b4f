import { parseArgs } from 'node:util'
import { isTier, TIERS } from './invented/data'
import { ENDPOINT_PATHS } from './specification'
import type { DataSource, Scope } from './store'

export function parseFlags(args: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = { port: text, seed: text, tier: text, data: text, json: flag, help: flag }
  const { values } = parseArgs({ args: [...args], options })
  const { tier = 'M', data } = values
  if (!isTier(tier)) throw new Error(`--tier must be one of ${Object.keys(TIERS).join(', ')}, not "${tier}"`)
  return {
    help: values.help ?? false,
    port: parseWholeNumber('--port', values.port ?? '4010', 65_535),
    tier,
    seed: parseWholeNumber('--seed', values.seed ?? '7', 4_294_967_295),
    data,
    json: values.json ?? false,
  }
}

function parseWholeNumber(name: string, text: string, max: number) {
  const number = Number(text)
  if (/^\d+$/.test(text) && number <= max) return number
  throw new Error(`${name} must be a whole number from 0 to ${max}, not "${text}"`)
}

export const USAGE = `npm run service -- [flags]
  --port <n>         port to listen on, 0 for any free one (4010)
  --tier <name>      size of the invented data: ${Object.keys(TIERS).join(', ')} (M)
  --seed <n>         another seed, other people; the tokens are named after it (7)
  --data <file>      leads, schools and tokens of a JSON file instead, read again when it changes
  --json             print one line of JSON with the base URL and the tokens, nothing else
  --help             print this`

export function formatGreeting(baseUrl: string, source: DataSource, { json }: { json: boolean }): string {
  const scopes = [...source.tokens()]
  const findToken = (isWanted: (scope: Scope) => boolean) => scopes.find(([, scope]) => isWanted(scope))?.[0] ?? null
  const tokens = {
    all: findToken((scope) => scope === 'all'),
    some: findToken((scope) => typeof scope !== 'string'),
    none: findToken((scope) => scope === 'none'),
  }
  if (json) return JSON.stringify({ baseUrl, tokens })
  const { highSchools, askedQuestions, declarationsOfInterest } = source.current()
  const token = tokens.all ?? tokens.some ?? '<token>'
  const curl = (path: string) => `  curl -H 'Authorization: Bearer ${token}' '${baseUrl}${path}'`
  const [school] = highSchools
  return [
    `Education leads and high schools, at ${baseUrl}`,
    `Schools: ${highSchools.length}; declarations: ${declarationsOfInterest.length}; questions: ${askedQuestions.length}`,
    '',
    `Tokens: ${tokens.all ?? '-'} (all schools), ${tokens.some ?? '-'} (some), ${tokens.none ?? '-'} (403)`,
    '',
    curl(ENDPOINT_PATHS.highSchools),
    curl(`${ENDPOINT_PATHS.highSchool}?id=${encodeURIComponent(school?.id ?? '')}`),
    curl(ENDPOINT_PATHS.declarationsOfInterest),
    curl(ENDPOINT_PATHS.askedQuestions),
  ].join('\n')
}
