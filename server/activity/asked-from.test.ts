import { expect, test } from 'vitest'
import { askedFrom, askingAddress } from './asked-from'

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
