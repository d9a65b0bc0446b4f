import { describe, expect, it } from 'vitest'
import { dataSize, hourlyRate, preciseDuration } from './status-figures'

/** Unit formats separate with spaces that do not break. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ')

describe('measures on the status page', () => {
  it.each([
    [0, '0 ms'],
    [12.4, '12 ms'],
    [999.6, '1 s'],
    [1_240, '1,2 s'],
    [9_949, '9,9 s'],
    [12_400, '12 s'],
    [300_000, '5 min'],
  ])('a fetch of %d ms took %s', (ms, text) => {
    expect(plain(preciseDuration(ms, 'sv'))).toBe(text)
  })

  it.each([
    [0, '0 kB'],
    [321, '0,3 kB'],
    [4_321, '4,3 kB'],
    [43_210, '43 kB'],
    [999_600, '1 MB'],
    [35_123_456, '35,1 MB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(plain(dataSize(bytes, 'sv'))).toBe(text)
  })

  it('a rate is never nothing', () => {
    expect(hourlyRate(0.04, 'sv')).toBe('< 0,1')
    expect(hourlyRate(0.42, 'en')).toBe('0.42')
    expect(hourlyRate(123, 'en')).toBe('120')
  })
})
