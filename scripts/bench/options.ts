import { parseArgs } from 'node:util'
import { isTier, type Tier } from '@/reference-service/invented/data'

/** What the command line asks of the benches; each takes of it what it knows. */
export type Options = {
  names: readonly string[]
  json: boolean
  /** Whether BENCHMARKS.md is to have the figures. */
  write: boolean
  tier: Tier
  /** How many live pages, one run after the other. */
  pages: readonly number[]
  people: number
  /** How many a minute somebody of the herd brings. */
  decisions: number
  seconds: number
  minutes: number
  postgres: boolean
}

/** Throws an error whose message is for people. */
export function readOptions(args: readonly string[]): Options {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: flag,
      write: flag,
      postgres: flag,
      tier: text,
      pages: text,
      people: text,
      decisions: text,
      seconds: text,
      minutes: text,
    },
  })
  const { tier = 'XL', json = false, write = false, postgres = false } = values
  if (!isTier(tier)) throw new Error(`There is no tier "${tier}".`)
  return {
    names: positionals,
    json,
    write,
    postgres,
    tier,
    pages: (values.pages ?? '1,10,100,1000').split(',').map((pages) => count('--pages', pages)),
    people: count('--people', values.people ?? '300'),
    decisions: count('--decisions', values.decisions ?? '20'),
    seconds: count('--seconds', values.seconds ?? '60'),
    minutes: count('--minutes', values.minutes ?? '20'),
  }
}

function count(name: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new Error(`${name} must be a positive whole number, not "${text}".`)
}
