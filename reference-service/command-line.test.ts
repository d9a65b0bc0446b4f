import { expect, it } from 'vitest'
import { parseFlags } from './command-line'

it('the command line needs nothing, and takes every flag', () => {
  const usual = { help: false, port: 4010, tier: 'M', seed: 7, data: undefined, json: false, live: false }
  expect(parseFlags([])).toEqual(usual)
  const flags = parseFlags('--port 0 --tier XL --seed 12 --json --live'.split(' '))
  expect(flags).toEqual({ ...usual, port: 0, tier: 'XL', seed: 12, json: true, live: true })
})

it.each<[string, RegExp]>([
  ['--prot 1', /--prot/],
  ['--port', /--port/],
  ['--port x', /--port must be a whole number from 0 to 65535, not "x"/],
  ['--port 70000', /--port/],
  ['--tier toString', /--tier/],
  ['--seed 1.5', /--seed/],
  ['--live --data x.json', /--live/],
  ['surplus', /surplus/],
])('%s is refused in words', (text, message) => {
  expect(() => parseFlags(text.split(' '))).toThrow(message)
})
