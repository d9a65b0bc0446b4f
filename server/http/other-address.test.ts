import { expect, test } from 'vitest'
import { createLogger } from '@/server/logger'
import { createOtherAddress } from './other-address'

test('is said in the log once a minute with both addresses, and to administrators for a day', () => {
  const time = { ms: 0 }
  const lines: string[] = []
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(line) })
  const env = { auth: { url: 'http://localhost:3000', secret: '' } }
  const other = createOtherAddress({ env, now: () => time.ms, logger })
  expect(other.report()).toBeNull()
  for (let count = 0; count < 500; count += 1) other.hear('https://intag.test')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('"openedAt":"https://intag.test","setUpFor":"http://localhost:3000","refused":1')
  time.ms = 60_000
  other.hear('https://www.intag.test')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('"refused":500')
  expect(other.report()).toEqual({
    openedAt: 'https://www.intag.test',
    setUpFor: 'http://localhost:3000',
    count: 501,
    lastAt: '1970-01-01T00:01:00.000Z',
  })
  time.ms += 24 * 3_600_000 + 1
  expect(other.report()).toBeNull()
})
