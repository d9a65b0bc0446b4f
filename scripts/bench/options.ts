import { parseArgs } from 'node:util'
import { isTier } from '@/reference-service/invented/data'

export type Options = ReturnType<typeof readOptions>

/** Throws an error whose message is for people. */
export function readOptions(args: readonly string[]) {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const
  const numbers = { pages: text, people: text, decisions: text, seconds: text }
  const options = { json: flag, postgres: flag, tier: text, ...numbers }
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
  const { tier = 'XL', json = false, postgres = false } = values
  if (!isTier(tier)) throw new Error(`There is no tier "${tier}".`)
  return {
    names: positionals,
    json,
    postgres,
    tier,
    pages: (values.pages ?? '1,10,100,1000').split(',').map((pages) => count('--pages', pages)),
    people: count('--people', values.people ?? '300'),
    decisions: count('--decisions', values.decisions ?? '20'),
    seconds: count('--seconds', values.seconds ?? '60'),
  }
}

function count(name: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new Error(`${name} must be a positive whole number, not "${text}".`)
}
