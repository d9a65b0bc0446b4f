import { describe, expect, it } from 'vitest'
import { parseFlags } from './command-line'

describe('the command line', () => {
  it('needs nothing', () => {
    expect(parseFlags([])).toEqual({
      help: false,
      port: 4010,
      tier: 'M',
      seed: 7,
      data: undefined,
      json: false,
      live: false,
    })
  })

  it('takes every flag', () => {
    const text = '--port 0 --tier XL --seed 12 --json --live'
    expect(parseFlags(text.split(' '))).toMatchObject({
      port: 0,
      tier: 'XL',
      seed: 12,
      json: true,
      live: true,
    })
  })

  it.each<[string, RegExp]>([
    ['--prot 1', /--prot/],
    ['--port', /--port/],
    ['--port x', /--port must be a whole number from 0 to 65535, not "x"/],
    ['--port 70000', /--port/],
    ['--tier XXL', /--tier must be one of S, M, L, XL, Stress, not "XXL"/],
    ['--tier toString', /--tier/],
    ['--seed -1', /--seed/],
    ['--seed 1.5', /--seed/],
    ['--live --data x.json', /--live/],
    ['surplus', /surplus/],
  ])('%s is refused in words', (text, message) => {
    expect(() => parseFlags(text.split(' '))).toThrow(message)
  })
})
