import { describe, expect, test } from 'vitest'
import { addressBehind, callerNetwork, shortAddress } from './address'

describe('the caller’s address', () => {
  test('is the socket’s, whatever the client claims', () => {
    expect(addressBehind('203.0.113.9', '10.0.0.1', 0)).toBe('203.0.113.9')
    expect(addressBehind('::ffff:203.0.113.9', undefined, 0)).toBe('203.0.113.9')
    expect(addressBehind('fe80::1%eth0', undefined, 0)).toBe('fe80::1')
    expect(addressBehind(undefined, '10.0.0.1', 0)).toBe('unknown')
  })

  test('behind proxies is what the outermost of ours wrote', () => {
    const claimed = '198.51.100.1, 203.0.113.9, 10.0.0.2'
    expect(addressBehind('10.0.0.3', claimed, 1)).toBe('10.0.0.2')
    expect(addressBehind('10.0.0.3', claimed, 2)).toBe('203.0.113.9')
    expect(addressBehind('10.0.0.3', ['198.51.100.1', '203.0.113.9, 10.0.0.2'], 2)).toBe('203.0.113.9')
  })

  test('is the socket’s again where a proxy wrote nothing of use', () => {
    expect(addressBehind('10.0.0.3', '203.0.113.9', 2)).toBe('10.0.0.3')
    expect(addressBehind('10.0.0.3', 'unknown', 1)).toBe('10.0.0.3')
    expect(addressBehind('10.0.0.3', "'; drop table", 1)).toBe('10.0.0.3')
  })

  test.each([
    ['203.0.113.9:51234', '203.0.113.9'],
    ['[2001:DB8::1]:443', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
  ])('%s is %s', (written, address) => {
    expect(addressBehind('10.0.0.3', written, 1)).toBe(address)
  })
})

describe('shortened', () => {
  test.each([
    ['203.0.113.9', '203.0.113.0/24', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48', '2001:db8:1:2::'],
    ['2001:db8::1', '2001:db8:0::/48', '2001:db8:0:0::'],
    ['::1', '0:0:0::/48', '0:0:0:0::'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0::/48', '64:ff9b:0:0::'],
    ['2001:0DB8:0001:0002::', '2001:db8:1::/48', '2001:db8:1:2::'],
    ['unknown', 'unknown', 'unknown'],
    ['Åsa Öberg', 'unknown', 'Åsa Öberg'],
  ])('%s is kept as %s and counted as %s', (address, kept, counted) => {
    expect([shortAddress(address), callerNetwork(address)]).toEqual([kept, counted])
    expect(shortAddress(kept), 'once shortened').toBe(kept)
  })
})
