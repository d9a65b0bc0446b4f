import { describe, expect, test } from 'vitest'
import { findClientAddress, toCallerNetwork } from './ip-address'

describe('the caller’s address', () => {
  const forwarded = '198.51.100.1, 203.0.113.9, 10.0.0.2'
  test.each([
    ['the socket’s, whatever the client claims', '203.0.113.9', '10.0.0.1', 0, '203.0.113.9'],
    ['the socket’s IPv4 address', '::ffff:203.0.113.9', undefined, 0, '203.0.113.9'],
    ['the socket’s without a zone', 'fe80::1%eth0', undefined, 0, 'fe80::1'],
    ['unknown without a socket', undefined, '10.0.0.1', 0, 'unknown'],
    ['what a proxy of ours wrote', '10.0.0.3', forwarded, 1, '10.0.0.2'],
    ['what the outermost of ours wrote', '10.0.0.3', forwarded, 2, '203.0.113.9'],
    ['that, in two headers', '10.0.0.3', ['198.51.100.1', '203.0.113.9, 10.0.0.2'], 2, '203.0.113.9'],
    ['the socket’s where a proxy wrote nothing', '10.0.0.3', '203.0.113.9', 2, '10.0.0.3'],
    ['the socket’s where a proxy wrote nothing of use', '10.0.0.3', "'; drop table", 1, '10.0.0.3'],
    ['without its port', '10.0.0.3', '203.0.113.9:51234', 1, '203.0.113.9'],
    ['without brackets', '10.0.0.3', '[2001:DB8::1]:443', 1, '2001:db8::1'],
  ])('is %s', (_, socket, header, trustedProxies, address) => {
    expect(findClientAddress(socket, header, trustedProxies)).toBe(address)
  })
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:db8::1', '2001:db8:0:0::'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::'],
  ['unknown', 'unknown'],
])('tries from %s are counted in %s', (address, network) => {
  expect(toCallerNetwork(address)).toBe(network)
})
