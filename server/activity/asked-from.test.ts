import { expect, test } from 'vitest'
import { askedFrom, askingAddress, shortAddress } from './asked-from'

test('what is done for a request knows where it comes from, however long it takes, and nobody else does', async () => {
  const both = await Promise.all(
    ['192.0.2.1', '192.0.2.2'].map((address) =>
      askedFrom(address, async () => {
        await new Promise((resolve) => setImmediate(resolve))
        return askingAddress()
      }),
    ),
  )
  expect([...both, askingAddress()]).toEqual(['192.0.2.1', '192.0.2.2', null])
})

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['192.0.2.0/24', '192.0.2.0/24'],
  ['2001:db8:0012:3400::1', '2001:db8:12::/48'],
  ['2001:DB8::1', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['::1', '0:0:0::/48'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0::/48'],
  ['2001:db8:12::/48', '2001:db8:12::/48'],
  ['unknown', 'unknown'],
  ['Åsa Öberg', 'unknown'],
])('of %s the network is %s', (address, network) => {
  expect(shortAddress(address)).toBe(network)
  expect(shortAddress(network)).toBe(network)
})
