import { expect, test } from 'vitest'
import { findCallerAddress, enterRequest } from './request-context'

test('what is done for a request knows where it comes from, however long it takes, and nobody else does', async () => {
  const both = await Promise.all(
    ['192.0.2.1', '192.0.2.2'].map(async (address) => {
      await Promise.resolve()
      enterRequest({ id: 'r', address, isOver: false })
      await new Promise((resolve) => setImmediate(resolve))
      return findCallerAddress()
    }),
  )
  expect([...both, findCallerAddress()]).toEqual(['192.0.2.1', '192.0.2.2', null])
})
