import { parseArgs } from 'node:util'
import { isTier, tiers } from './invented/data'
import { endpointPaths, specifiedLimits } from './specification'
import { type DataSource, sampleTokens } from './store'

export function parseFlags(args: readonly string[]) {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const
  const numbers = { port: text, seed: text, 'per-second': text, 'per-hour': text }
  const options = { ...numbers, host: text, tier: text, data: text, live: flag, json: flag, help: flag }
  const { values } = parseArgs({ args: [...args], options })
  const { tier = 'M', data, live = false } = values
  if (!isTier(tier)) throw new Error(`--tier must be one of ${Object.keys(tiers).join(', ')}, not "${tier}"`)
  if (live && data !== undefined) throw new Error('--live invents leads, so it cannot be combined with --data')
  return {
    help: values.help ?? false,
    port: wholeNumber('--port', values.port ?? '4010', 0, 65_535),
    host: values.host ?? '127.0.0.1',
    tier,
    seed: wholeNumber('--seed', values.seed ?? '7', 0, 4_294_967_295),
    data,
    json: values.json ?? false,
    live,
    limits: {
      perSecond: wholeNumber('--per-second', values['per-second'] ?? String(specifiedLimits.perSecond), 1, 10_000_000),
      perHour: wholeNumber('--per-hour', values['per-hour'] ?? String(specifiedLimits.perHour), 1, 10_000_000),
    },
  }
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= min && number <= max) return number
  throw new Error(`${name} must be a whole number from ${min} to ${max}, not "${text}"`)
}

export const usage = `npm run service -- [flags]
  --port <n>         port to listen on, 0 for any free one (4010)
  --host <address>   address to listen on (127.0.0.1)
  --tier <name>      size of the invented data: ${Object.keys(tiers).join(', ')} (M)
  --seed <n>         another seed, other people; the tokens are named after it (7)
  --data <file>      leads, schools and tokens of a JSON file instead, read again when it changes
  --live             new invented leads arrive every few seconds
  --per-second <n>   limit of requests per token in any second (${specifiedLimits.perSecond})
  --per-hour <n>     limit of requests per token in any hour (${specifiedLimits.perHour})
  --json             print one line of JSON with the base URL and the tokens, nothing else
  --help             print this`

export function greeting(baseUrl: string, source: DataSource, json: boolean): string {
  const tokens = sampleTokens(source.tokens())
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
    curl(endpointPaths.highSchools),
    curl(`${endpointPaths.highSchool}?id=${encodeURIComponent(school?.id ?? '')}`),
    curl(endpointPaths.declarationsOfInterest),
    curl(endpointPaths.askedQuestions),
  ].join('\n')
}
